"""What of an image's content is where in this node's Docker, seen from a container (serve.py, which comes after this).

`find_image` tells it: (digest to ask by, {digest: (media type, manifest)}, {digest: Layer, File or Bytes}, bytes of
each layer, whether layers are packed); None: Docker keeps it in another way.
"""
import base64
import gzip
import hashlib
import json
import os

contents = ("/docker/containerd/daemon", "/containerd")
manifest_type = "application/vnd.docker.distribution.manifest.v2+json"


def digest_of(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


class Layer:
    """A layer of the overlay2 store: tar headers in a list, the files themselves where containers use them."""

    def __init__(self, chain):
        self.folder = f"/docker/image/overlay2/layerdb/sha256/{chain}"
        with open(f"{self.folder}/cache-id") as file:
            self.files = os.fsencode(f"/docker/overlay2/{file.read()}/diff/")
        self.size = sum(length for length, _, _ in self.pieces())

    def pieces(self):
        """(length, bytes, None) and (length, None, path of a file), in the archive's order."""
        with gzip.open(f"{self.folder}/tar-split.json.gz") as lines:
            for line in lines:
                entry = json.loads(line)
                if entry["type"] == 2:
                    data = base64.b64decode(entry["payload"])
                    yield len(data), data, None
                elif entry.get("size"):
                    raw = entry.get("name_raw")
                    name = base64.b64decode(raw) if raw else os.fsencode(entry["name"])
                    yield entry["size"], None, self.files + name

    def send(self, out, start):
        for length, data, path in self.pieces():
            if start >= length:
                start -= length
                continue
            if data is not None:
                out.put(data[start:])
            else:
                out.put_file(path, start, length - start)
            start = 0


class File:
    """A blob of containerd's store, as it is."""

    def __init__(self, path):
        self.path, self.size = path, os.stat(path).st_size

    def send(self, out, start):
        out.put_file(self.path, start, self.size - start)


class Bytes:
    def __init__(self, data):
        self.data, self.size = data, len(data)

    def send(self, out, start):
        out.put(self.data[start:])


def of_overlay2(image, config_path):
    """Docker's own store has no manifest: one is made, with the layers as they are unpacked."""
    with open(config_path, "rb") as file:
        config = file.read()
    blobs, layers, chain = {image: Bytes(config)}, [], None
    for diff in json.loads(config)["rootfs"]["diff_ids"]:
        chain = diff if chain is None else digest_of(f"{chain} {diff}".encode())
        blobs[diff] = Layer(chain[7:])
        layers.append({"mediaType": "application/vnd.docker.image.rootfs.diff.tar", "size": blobs[diff].size, "digest": diff})
    about = {"mediaType": "application/vnd.docker.container.image.v1+json", "size": len(config), "digest": image}
    manifest = {"schemaVersion": 2, "mediaType": manifest_type, "config": about, "layers": layers}
    data = json.dumps(manifest).encode()
    top = digest_of(data)
    return top, {top: (manifest_type, data)}, blobs, [layer["size"] for layer in layers], False


def of_containerd(image, folder):
    """containerd keeps manifests and packed layers under their digests: those of this image, no others."""
    manifests, blobs, sizes = {}, {}, []

    def walk(digest):
        path = f"{folder}/{digest[7:]}"
        if not os.path.exists(path):
            return  # of another platform
        with open(path, "rb") as file:
            data = file.read()
        content = json.loads(data)
        manifests[digest] = (content.get("mediaType", "application/vnd.oci.image.manifest.v1+json"), data)
        for each in content.get("manifests", []):
            walk(each["digest"])
        layers = content.get("layers", [])
        parts = [f"{folder}/{each['digest'][7:]}" for each in layers]
        if "config" not in content or not all(map(os.path.exists, parts)):
            return
        blobs.update({each["digest"]: File(path) for each, path in zip(layers, parts)})
        blobs[content["config"]["digest"]] = File(f"{folder}/{content['config']['digest'][7:]}")
        if "attestation" not in json.dumps(content):
            sizes[:] = [each["size"] for each in layers]

    walk(image)
    return image, manifests, blobs, sizes, True


def find_image(image):
    own = f"/docker/image/overlay2/imagedb/content/sha256/{image[7:]}"
    if os.path.exists(own):
        return of_overlay2(image, own)
    for place in contents:
        folder = f"{place}/io.containerd.content.v1.content/blobs/sha256"
        if os.path.exists(f"{folder}/{image[7:]}"):
            return of_containerd(image, folder)
    return None

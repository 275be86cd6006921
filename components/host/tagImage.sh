#!/bin/sh
# `sh -s -- IMAGE NAME`: gives an image one more name.
docker tag "$1" "$2"

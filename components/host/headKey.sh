#!/bin/sh
# Prints the API key of the running head on its node, over stdin (`sh -s -- CONTAINER`).
exec docker exec "$1" cat /etc/spark-vllm/api-key

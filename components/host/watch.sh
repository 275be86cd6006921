#!/bin/sh
# Follows one rank's log on its node, over stdin (`sh -s -- CONTAINER SINCE`), until the container ends.
# Lines: `L<log line>`, and at the end `X<state as JSON>`.
set -u
docker logs -f --since "$2" "$1" 2>&1 | sed -u 's/^/L/'
docker inspect -f 'X{"running":{{json .State.Running}},"exitCode":{{json .State.ExitCode}},"oomKilled":{{json .State.OOMKilled}},"startedAt":{{json .State.StartedAt}},"finishedAt":{{json .State.FinishedAt}}}' "$1" 2>/dev/null ||
    echo 'X{"removed":true}'

# Runs the scheduled jobs of one workspace, reads new messages, keeps the index fresh, and answers searches.
#
#   docker build -t clawgit .
#   docker run -d --init --name fig -v ~/.openclaw/workspace:/workspace -v fig-state:/home/clawgit/.local/state clawgit
#   docker exec fig clawgit memory search "what did we decide"
#
# If your user id is not 1000, build with --build-arg UID="$(id -u)". To have OpenClaw's transcripts read, add a volume:
# -v ~/.openclaw:/home/clawgit/.openclaw:ro
#
# Settings that run programs, send data, spend money or delete something are off until you accept them in the container.
# If CONFIG.md or -e CLAWGIT_… sets some, accept them once, with the same -e, and store that in a volume:
#
#   docker run -it --rm -v ~/.openclaw/workspace:/workspace -v fig-config:/home/clawgit/.config clawgit trust
#
# Then give `docker run` above -v fig-config:/home/clawgit/.config too.

FROM python:3.13-slim-bookworm AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE LICENSE-APACHE ./
COPY clawgit clawgit
COPY hooks hooks
COPY templates templates
COPY models models
RUN pip wheel --no-cache-dir --wheel-dir /wheels '.[all]' ./models

FROM python:3.13-slim-bookworm
ARG UID=1000
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git=1:2.* \
    && rm -rf /var/lib/apt/lists/* \
    && git config --system --add safe.directory /workspace \
    && useradd --create-home --uid "$UID" clawgit \
    && mkdir -p /workspace /home/clawgit/.local/state /home/clawgit/.config \
    && chown -R clawgit: /workspace /home/clawgit/.local /home/clawgit/.config
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --no-deps /wheels/*.whl
ENV CLAWGIT_WORKSPACE=/workspace \
    PYTHONUNBUFFERED=1
USER ${UID}
WORKDIR /workspace
VOLUME ["/workspace", "/home/clawgit/.local/state", "/home/clawgit/.config"]
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5m --timeout=30s --start-period=1m CMD ["clawgit", "status", "--json"]
ENTRYPOINT ["clawgit"]
CMD ["run", "--serve"]

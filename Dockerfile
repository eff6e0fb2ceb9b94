# syntax=docker/dockerfile:1

# The toolchain that rust-toolchain.toml names; the variable keeps rustup from fetching it again.
FROM rust:1.95.0-bookworm AS build
ENV RUSTUP_TOOLCHAIN=1.95.0
WORKDIR /src
COPY Cargo.toml Cargo.lock ./
COPY .cargo .cargo
COPY crates crates
COPY xtask xtask
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/src/target \
    cargo build --locked --release --package pdpp \
    && install -D target/release/pdpp /out/pdpp \
    && install -d /out/data

# No shell and no package manager: the C library, certificates, and the program.
FROM gcr.io/distroless/cc-debian12:nonroot
# The name in server.json: the registry believes an entry whose image says the same.
ARG SERVER_NAME=io.github.example/pdpp
LABEL org.opencontainers.image.title="pdpp" \
      org.opencontainers.image.description="A personal data server for AI agents" \
      org.opencontainers.image.licenses="Apache-2.0" \
      io.modelcontextprotocol.server.name="$SERVER_NAME"
COPY --from=build --chmod=0755 /out/pdpp /usr/local/bin/pdpp
COPY --from=build --chown=65532:65532 --chmod=0700 /out/data /data
COPY LICENSE /usr/share/doc/pdpp/LICENSE
ENV PDPP_DATA_DIR=/data
USER 65532:65532
VOLUME /data
EXPOSE 7667
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["/usr/local/bin/pdpp", "health"]
ENTRYPOINT ["/usr/local/bin/pdpp"]
CMD ["serve", "--listen", "0.0.0.0:7667"]

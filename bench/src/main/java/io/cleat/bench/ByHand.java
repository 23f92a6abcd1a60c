package io.cleat.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A container that an OCI runtime makes when called as a person would call it. */
record ByHand(String runtime, Path directory, String name) {
    /**
     * The configuration of a container that the driver made, with a control group of its own and without our init.
     *
     * @param exec the driver's directory
     */
    static ByHand like(Path exec, String container, String runtime) throws IOException {
        Path bundle = exec.resolve("containers").resolve(container);
        Path hand = exec.resolveSibling("hand");
        Path rootfs = Files.createDirectories(hand.resolve("rootfs"));
        Path directory = Files.createDirectories(hand.resolve(container));
        try (Stream<Path> entries = Files.list(bundle.resolve("rootfs"))) {
            for (Path link : entries.filter(Files::isSymbolicLink).toList()) {
                Path copy = rootfs.resolve(link.getFileName());
                if (!Files.isSymbolicLink(copy)) {
                    Files.createSymbolicLink(copy, Files.readSymbolicLink(link));
                }
            }
        }
        Files.writeString(
                directory.resolve("config.json"),
                Files.readString(bundle.resolve("config.json"))
                        .replace("\"/.cleat-init\",\"init\",", "")
                        .replace("\"path\":\"rootfs\"", "\"path\":\"" + rootfs + "\"")
                        .replace("/" + container + "\"", "/by-hand." + container + "\""));
        return new ByHand(runtime, directory, "by-hand." + container);
    }

    /**
     * The same in another network namespace.
     *
     * @param namespace the file that holds it
     */
    ByHand in(Path namespace) throws IOException {
        Path config = directory.resolve("config.json");
        Files.writeString(config, Files.readString(config).replaceFirst("/run/netns/[^\"]+", namespace.toString()));
        return this;
    }

    void start() throws IOException, InterruptedException {
        call("create", "--bundle", directory.toString(), name);
        call("start", name);
    }

    void delete() throws IOException, InterruptedException {
        call("delete", "--force", name);
    }

    private void call(String... verb) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(runtime, "--root", directory.resolve("state").toString()));
        command.addAll(List.of(verb));
        Process process = new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (process.waitFor() != 0) {
            throw new IOException(command + " failed");
        }
    }
}

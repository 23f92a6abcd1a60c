package io.cleat.localplugin;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The plugin in this process, put together as its program does, and a caller of it. */
final class Served implements AutoCloseable {
    static final String NODE = "n1";

    private final Path directory;
    private final Runnable end;
    private final Caller caller;

    Served(Path directory, String... more) throws Exception {
        this(directory, socket(directory), more);
    }

    /** One of several over the pool of {@code directory}. */
    Served(Path directory, Path socket, String... more) throws Exception {
        this.directory = directory;
        List<String> arguments = new ArrayList<>(arguments(directory));
        arguments.add("--endpoint=unix://" + socket);
        arguments.addAll(List.of(more));
        end = Main.open(Options.parse(arguments, Map.of()))::close;
        caller = new Caller(socket);
    }

    private Served(Path directory, PluginProcess process) {
        this.directory = directory;
        this.end = process::kill;
        this.caller = new Caller(socket(directory));
    }

    /** In a process of its own, which holds on to nothing of the pool once it has ended. */
    static Served process(Path directory, String... more) throws Exception {
        return new Served(directory, new PluginProcess(directory, more));
    }

    static List<String> arguments(Path directory) {
        return List.of(
                "--endpoint=unix://" + socket(directory),
                "--pool=" + directory.resolve("pool"),
                "--node-id=" + NODE,
                "--call-log=" + directory.resolve("calls.jsonl"));
    }

    static Path socket(Path directory) {
        return directory.resolve("run/csi.sock");
    }

    Caller caller() {
        return caller;
    }

    /** A directory to stage at, made as an orchestrator does. */
    Path staging(String name) throws Exception {
        return Files.createDirectories(directory.resolve("staging").resolve(name));
    }

    /** A path to publish at; only its parent is made. */
    Path target(String name) throws Exception {
        return Files.createDirectories(directory.resolve("targets")).resolve(name);
    }

    List<String> calls() throws Exception {
        return Files.readAllLines(directory.resolve("calls.jsonl"));
    }

    @Override
    public void close() {
        caller.close();
        end.run();
    }
}

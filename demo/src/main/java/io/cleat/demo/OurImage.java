package io.cleat.demo;

import io.cleat.api.Job;
import io.cleat.api.Json;
import io.cleat.base.InvariantBroken;
import io.cleat.base.Refused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The image that plugin and workloads are made of under the driver {@code docker}: the bundled plugin's, under a name
 * that no other has. By that name all that the demo has in the engine is found again: what others have there is never
 * touched.
 *
 * @param name with a tag that is this run's alone
 */
record OurImage(ContainerEngine engine, String name) {
    private static final String REPOSITORY = "localhost/cleat-demo:";
    private static final Path SCRIPT = Path.of("scripts/image.sh");
    private static final Path ARCHIVE = Path.of("build/local-plugin.tar");
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final int MIB = 1 << 20;

    /** The one of a run, which is not there yet. */
    static OurImage of(ContainerEngine engine, Workplace workplace) {
        String directory = String.valueOf(workplace.root().getFileName());
        return new OurImage(engine, REPOSITORY + directory.substring(directory.indexOf('-') + 1));
    }

    /** The flags of an agent whose plugin is to run of it. */
    List<String> flags() {
        return List.of("-plugin-image=" + name, "-docker-socket=" + engine.socket());
    }

    /**
     * Brings it into the engine, packed first if it is not.
     *
     * @param launcher the program, in the directory that has {@code scripts} and {@code build}
     */
    void bring(DemoContext context, Path launcher) throws CheckFailed, InterruptedException {
        context.tell().verified("container engine", engine.hello() + " at " + engine.socket());
        Path home = launcher.toAbsolutePath().resolveSibling("");
        pack(context, home);
        PluginArchive.Content content = PluginArchive.read(home.resolve(ARCHIVE));
        engine.makeImage(name, content.layer(), content.instructions());
        context.tell()
                .verified(
                        "image",
                        name + ", " + engine.size(name) / MIB + " MiB, made of " + ARCHIVE + ": no registry is asked");
    }

    /** Packs nothing that is packed already. */
    private static void pack(DemoContext context, Path home) throws CheckFailed, InterruptedException {
        Path script = home.resolve(SCRIPT);
        CheckFailed.unless(
                Files.isExecutable(script),
                "the program that packs the plugin's image",
                script.toString(),
                "it is not there: -driver=docker needs a tree with Cleat's sources");
        Path log = context.workplace().root().resolve("image.log");
        ProcessBuilder builder = new ProcessBuilder(script.toString());
        // What is packed is what was built for the demo, whatever is edited meanwhile.
        builder.environment().put("CLEAT_BUILD", "never");
        builder.redirectErrorStream(true);
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.redirectOutput(log.toFile());
        String what = "packing the plugin's image, as ./dev image does";
        try {
            Process packing = builder.start();
            try {
                long begun = context.time().nanos();
                while (!packing.waitFor(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
                    Duration since = Duration.ofNanos(context.time().nanos() - begun);
                    context.tell().waiting("packing the plugin's image", since, last(log));
                }
            } finally {
                packing.destroy();
            }
            CheckFailed.unless(packing.exitValue() == 0, what, "exit code 0", last(log));
        } catch (IOException failed) {
            throw CheckFailed.unseen(what, failed);
        }
    }

    private static String last(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log);
        return lines.isEmpty() ? "it begins" : lines.getLast();
    }

    /** The job with all its tasks in containers of the image. */
    Job in(Job job) {
        JsonNode tree = Json.toTree(job);
        for (JsonNode group : tree.path("TaskGroups")) {
            for (JsonNode task : group.path("Tasks")) {
                ObjectNode config = ((ObjectNode) task).withObject("Config");
                // The image's own entrypoint is the plugin.
                config.putArray("entrypoint").add(config.path("command").asString(""));
                config.remove("command");
                config.put("image", name);
                config.put("network_mode", "none");
            }
        }
        try {
            return Json.fromTree(tree, Job.class);
        } catch (Refused unreadable) {
            throw new InvariantBroken("a job of an example is none under docker", unreadable.toString());
        }
    }

    /** The names of the containers that are made of it. */
    List<String> containers() throws CheckFailed {
        return engine.containersOf(name);
    }

    /** A command that removes it, for people. */
    String removal() {
        return "curl -sS -X DELETE --unix-socket " + engine.socket() + " http://engine/images/" + name;
    }

    /** Removes it with all containers that are made of it. */
    void remove() throws CheckFailed {
        if (engine.has(name)) {
            for (String container : containers()) {
                engine.removeContainer(container);
            }
            engine.removeImage(name);
        }
    }
}

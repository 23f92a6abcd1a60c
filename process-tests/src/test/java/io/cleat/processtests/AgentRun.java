package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AllocationStub;
import io.cleat.api.CleatClient;
import io.cleat.api.CsiVolume;
import io.cleat.api.CsiVolumeRequest;
import io.cleat.api.JobParseRequest;
import io.cleat.api.JobRegisterRequest;
import io.cleat.api.Json;
import io.cleat.api.LocalToken;
import io.cleat.api.Params;
import io.cleat.api.ServerAddress;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.Secrets;
import io.cleat.jobspec.Parsed;
import io.cleat.jobspec.VolumeFile;
import io.cleat.jobspec.hcl.RuntimeValues;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Variables;
import io.cleat.testkit.Eventually;
import io.cleat.testkit.RunDirectory;
import io.cleat.testkit.ShimProgram;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import tools.jackson.databind.JsonNode;

/**
 * The whole program in a process of its own, as {@code cleat dev} runs it, on a directory of its own. It may be killed
 * and started again. Closing it takes away whatever is left of it.
 *
 * <p>It is what this build compiled, without the launcher's build; or what the launcher built.
 */
final class AgentRun implements AutoCloseable {
    private static final long READY_SECONDS = 75;
    private static final long END_SECONDS = 60;

    private final Path root;
    private final Path shim;
    private final boolean isBuilt;
    private final boolean hasPlugin;
    private final int port;
    private final CleatClient client;
    private final Leavings leavings;
    private List<String> machine = List.of();
    private @Nullable Process process;

    private AgentRun(Path root, Path shim, boolean isBuilt, boolean hasPlugin, int port) {
        this.root = root;
        this.shim = shim;
        this.isBuilt = isBuilt;
        this.hasPlugin = hasPlugin;
        this.port = port;
        this.client = new CleatClient(new ServerAddress.Unix(data().resolve("http.sock")), CleatClient.Options.NONE);
        this.leavings = new Leavings(root);
    }

    /** Makes the directories; {@link #start} then starts it, with its plugin under raw_exec. */
    static AgentRun prepare() throws Exception {
        return prepare(false, true);
    }

    /** As {@link #prepare}, without its plugin, which takes as long to start as the agent itself. */
    static AgentRun prepareBare() throws Exception {
        return prepare(false, false);
    }

    /** As the launcher builds and starts it, with its plugin in a container if that can be. */
    static AgentRun prepareBuilt() throws Exception {
        AgentRun run = prepare(true, true);
        AgentProcess.build();
        return run;
    }

    private static AgentRun prepare(boolean isBuilt, boolean hasPlugin) throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: an agent mounts, which needs root, and the tests run as another user");
        Path shim = ShimProgram.built();
        // Short: a socket's path has at most 107 bytes.
        Path root = RunDirectory.make();
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            AgentRun run = new AgentRun(root, shim, isBuilt, hasPlugin, free.getLocalPort());
            run.writeLauncher();
            Files.createDirectory(run.data());
            return run;
        }
    }

    /** The program that the agent starts its plugin with. */
    private void writeLauncher() throws Exception {
        Files.writeString(launcher(), """
                #!/bin/sh
                shift
                exec %s "$@"
                """.formatted(String.join(" ", TestJvm.localPlugin(List.of()))));
        Files.setPosixFilePermissions(launcher(), PosixFilePermissions.fromString("rwx------"));
    }

    private Path launcher() {
        return root.resolve("launcher");
    }

    Path root() {
        return root;
    }

    Path data() {
        return root.resolve("data");
    }

    CleatClient client() {
        return client;
    }

    Api api() {
        return new Api(client);
    }

    /** Its HTTP API on TCP. */
    ServerAddress.Tcp port() {
        return new ServerAddress.Tcp("127.0.0.1", port);
    }

    /** Java's own flags for each start from now on. */
    void onMachine(String... flags) {
        machine = List.of(flags);
    }

    /**
     * Starts it and waits until it is ready, and its plugin if it has one.
     *
     * @param before the words before the command, such as those of {@code unshare}
     */
    void start(String... before) throws Exception {
        begin(before);
        Process started = running();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
        String ready = hasPlugin ? "is healthy. Ready." : "No plugin runs but those of your jobs. Ready.";
        while (!printed().contains(ready)) {
            assertTrue(started.isAlive(), () -> "the agent ended: " + printed());
            assertTrue(System.nanoTime() < end, () -> "the agent is not ready: " + printed());
            started.waitFor(20, TimeUnit.MILLISECONDS);
        }
    }

    /** Starts it, and waits for nothing. */
    void begin(String... before) throws Exception {
        List<String> command = new ArrayList<>(List.of(before));
        List<String> flags = List.of(
                "dev",
                "-data-dir=" + data(),
                "-http-port=" + port,
                // The servers of the tests are here.
                "-artifact-allow-address=127.0.0.0/8");
        if (isBuilt) {
            command.add(AgentProcess.LAUNCHER.toString());
            command.addAll(flags);
        } else {
            List<String> arguments = new ArrayList<>(List.of("-Xmx256m"));
            arguments.addAll(machine);
            arguments.add("-Dcleat.launcher=" + launcher());
            arguments.add("-Dcleat.shim=" + shim);
            arguments.add("io.cleat.launch.Main");
            arguments.addAll(flags);
            // In a container the class path of the test is not to be seen.
            arguments.add(hasPlugin ? "-plugin-driver=raw_exec" : "-no-plugin");
            // As the launcher raises it.
            command.addAll(List.of("nice", "-n", "-10"));
            command.addAll(TestJvm.agent(arguments));
        }
        Files.writeString(output(), "");
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("CLEAT_BUILD", "never");
        builder.redirectErrorStream(true);
        builder.redirectInput(Path.of("/dev/null").toFile());
        builder.redirectOutput(output().toFile());
        process = builder.start();
    }

    private Process running() {
        Process running = process;
        if (running == null) {
            throw new IllegalStateException("it was not started");
        }
        return running;
    }

    /** The agent itself: this one, whatever starts after it. */
    ProcessHandle handle() {
        return running().toHandle();
    }

    /** Kills it as the kernel does when it is out of memory. */
    void kill() throws InterruptedException {
        running().destroyForcibly();
        assertTrue(running().waitFor(END_SECONDS, TimeUnit.SECONDS), () -> "the agent does not end: " + printed());
    }

    private Path output() {
        return root.resolve("output");
    }

    /** All that it has printed since its last start, for a failure's message. */
    String printed() {
        return TestJvm.text(output());
    }

    void register(String job) throws Exception {
        client.jobs()
                .register(
                        new JobRegisterRequest(
                                false,
                                0,
                                client.jobs().parse(new JobParseRequest(true, job, ""), Params.none()),
                                0,
                                "default",
                                false,
                                false,
                                false,
                                "",
                                null),
                        Params.none());
    }

    void stop(String jobId) throws Exception {
        client.jobs().deregister(jobId, true, false, Params.none());
    }

    private static CsiVolume volume(String text) {
        Source source = Source.of("test", text);
        Parsed<CsiVolume> parsed = VolumeFile.parse(source, Variables.none(), RuntimeValues.real());
        return ((Parsed.Good<CsiVolume>) parsed).value();
    }

    /** Registers a volume that its plugin has. */
    void registerVolume(String volume) throws Exception {
        client.volumes().register(new CsiVolumeRequest("default", false, "", List.of(volume(volume))), Params.none());
    }

    /** Creates a volume of the bundled plugin. */
    CsiVolume create(String volume) throws Exception {
        CsiVolume wanted = volume(volume);
        client.volumes().create(new CsiVolumeRequest("default", false, "", List.of(wanted)), Params.none());
        return client.volumes().get(wanted.ID(), Params.none()).body();
    }

    /** Deletes a volume as soon as nothing has it any more. */
    void delete(String id) throws Exception {
        awaits(
                () -> {
                    try {
                        client.volumes().delete(id, Secrets.none(), Params.none());
                        return true;
                    } catch (UnexpectedAnswer inUse) {
                        return false;
                    }
                },
                "volume " + id + " is deleted");
    }

    /** Waits for the only allocation of a job to run. */
    AllocationStub running(String jobId) throws Exception {
        List<AllocationStub> found = new ArrayList<>();
        awaits(
                () -> {
                    found.clear();
                    for (AllocationStub one : client.jobs()
                            .allocations(jobId, true, Params.none())
                            .body()) {
                        if (one.ClientStatus().equals("running")
                                && one.DesiredStatus().equals("run")) {
                            found.add(one);
                        }
                    }
                    return found.size() == 1;
                },
                "an allocation of " + jobId + " runs");
        return found.getFirst();
    }

    /** As {@link Eventually#holds}; on failure the agent's output is in the message. */
    void awaits(Eventually.Fact fact, String what) throws Exception {
        try {
            Eventually.holds(fact, what);
        } catch (AssertionError late) {
            throw new AssertionError(late.getMessage() + "\n" + printed(), late);
        }
    }

    /** The first process of an allocation, whose id is in the environment of all; 0 for none. */
    long process(String allocId) throws Exception {
        List<Long> all = leavings.processesNaming("NOMAD_ALLOC_ID=" + allocId);
        // Not the lowest number: the kernel begins again at small ones.
        return all.stream().filter(one -> isFirst(one, all)).findFirst().orElse(0L);
    }

    /** A child that has ended since it was found has no parent either, and is not the first. */
    private static boolean isFirst(long process, List<Long> all) {
        return ProcessHandle.of(process)
                .filter(one -> one.parent()
                        .map(ProcessHandle::pid)
                        .filter(all::contains)
                        .isEmpty())
                .filter(ProcessHandle::isAlive)
                .isPresent();
    }

    /** The methods that the plugin answered OK for a volume, in order; the id is the plugin's own. */
    List<String> calls(String externalId) throws Exception {
        List<String> methods = new ArrayList<>();
        for (String line : Files.readAllLines(data().resolve("local-plugin.calls"))) {
            JsonNode call = Json.tree(line.getBytes(StandardCharsets.UTF_8));
            if (call.path("volume_id").asString("").equals(externalId)
                    && call.path("code").asString("").equals("OK")) {
                methods.add(call.path("method").asString(""));
            }
        }
        return methods;
    }

    Leavings leavings() {
        return leavings;
    }

    /** Fails unless processes, mounts and loop devices are gone. */
    void assertNothingRunsOrIsMounted() throws Exception {
        awaits(() -> leavings.found().isEmpty(), "nothing is left of " + root);
    }

    @Override
    public void close() {
        try {
            remove();
        } catch (InterruptedException cutShort) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("not all is cleaned up in " + root, cutShort);
        } catch (Exception failed) {
            throw new IllegalStateException("not all is cleaned up in " + root, failed);
        }
    }

    private void remove() throws Exception {
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
            running.waitFor(END_SECONDS, TimeUnit.SECONDS);
        }
        leavings.remove();
        // A killed agent leaves the directories that it had sealed below the mounts of plugins.
        new ProcessBuilder("chattr", "-R", "-f", "-i", root.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor(END_SECONDS, TimeUnit.SECONDS);
        // It was killed.
        Files.deleteIfExists(LocalToken.link(LocalToken.AGENTS, port));
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(path);
            }
        }
    }
}

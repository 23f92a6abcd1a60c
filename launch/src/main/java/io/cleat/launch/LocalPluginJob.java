package io.cleat.launch;

import io.cleat.api.CsiPlugin;
import io.cleat.api.Job;
import io.cleat.api.JobRegisterRequest;
import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.InvariantBroken;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import io.cleat.base.Trouble;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import io.cleat.cli.Version;
import io.cleat.clusterapi.ServerCluster;
import io.cleat.driver.docker.DockerDriver;
import io.cleat.driver.exec.ExecDriver;
import io.cleat.http.ReadQuery;
import io.cleat.http.WriteQuery;
import io.cleat.jobspec.JobFile;
import io.cleat.jobspec.Parsed;
import io.cleat.jobspec.hcl.RuntimeValues;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Variables;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The bundled plugin as a system job: registered if it is not there yet, and waited for. */
final class LocalPluginJob {
    private static final String PLAIN = "local-plugin.nomad.hcl";
    private static final String ISOLATED = "local-plugin-exec.nomad.hcl";
    private static final String CONTAINED = "local-plugin-docker.nomad.hcl";
    private static final String PLUGIN = "local";
    private static final String JOB = "local-plugin";
    private static final String IMAGE = "plugin-image";

    /** As the archive that {@code ./dev image} packs calls it. */
    private static final String USUAL_IMAGE = "localhost/cleat-local-plugin:" + Version.CURRENT;

    static final Flag IMAGE_FLAG = Flag.value(
            IMAGE,
            "name",
            "The bundled plugin's image for -plugin-driver=docker, which the engine has: "
                    + USUAL_IMAGE
                    + " unless given, which \"./dev image\" packs and \"podman load -i build/local-plugin.tar\" "
                    + "brings.");

    /** What the plugin needs; the second only to grow a mounted ext4. */
    static final List<String> CAPABILITIES = List.of("sys_admin", "sys_resource");

    private static final int CAP_SYS_RESOURCE = 24;
    private static final Duration LOOK_EVERY = Duration.ofMillis(50);
    private static final Duration TELL_AFTER = Duration.ofSeconds(5);
    private static final Duration TELL_AGAIN = Duration.ofSeconds(1);

    private final ServerCluster cluster;
    private final DataDirectory data;
    private final String driver;
    private final String image;
    private final Ports ports;

    /**
     * @param driver what the plugin is to run under
     * @param image what it is to run of under {@code docker}
     */
    LocalPluginJob(ServerCluster cluster, DataDirectory data, String driver, String image, Ports ports) {
        this.cluster = cluster;
        this.data = data;
        this.driver = driver;
        this.image = image;
        this.ports = ports;
    }

    /** The image that was asked for, or else the usual one. */
    static String image(Flags flags) {
        return flags.value(IMAGE).orElse(USUAL_IMAGE);
    }

    /**
     * Registers the job, unless a job of its name is there: that one is the user's, or an earlier agent's. Waits for
     * room on a full disk, until {@code end} comes.
     *
     * @param waits is told that it does
     * @return whether it was registered
     */
    boolean ensure(CountDownLatch end, Consumer<String> waits) throws Refused, Trouble, InterruptedException {
        String told = "";
        while (end.getCount() > 0) {
            try {
                return ensure();
            } catch (Refused refused) {
                told = tell(full(refused), told, waits);
            }
            ports.time().sleep(TELL_AGAIN);
        }
        return false;
    }

    /** What is full; anything else that refuses is not waited for. */
    private static String full(Refused refused) throws Refused {
        if (refused.refusal() instanceof Refusal.Exhausted full) {
            return full.message();
        }
        throw refused;
    }

    private static String tell(String words, String told, Consumer<String> waits) {
        if (!words.equals(told)) {
            waits.accept(words);
        }
        return words;
    }

    private boolean ensure() throws Refused, Trouble, InterruptedException {
        if (cluster.jobs().get(ReadQuery.now("default"), JOB).body().isPresent()) {
            return false;
        }
        cluster.jobWrites()
                .register(
                        new WriteQuery("default", ports.ids().next()),
                        new JobRegisterRequest(false, 0, job(), 0, "default", false, false, false, "global", null));
        return true;
    }

    /**
     * Waits until the plugin is healthy; false when the deadline passes, or {@code end} comes, first.
     *
     * @param isKnown whether what the cluster says of this node is of this agent's life
     * @param waits is told what it waits for, if that takes a while, and at each change
     */
    boolean awaitHealthy(BooleanSupplier isKnown, Deadline deadline, CountDownLatch end, Consumer<String> waits)
            throws Refused, Trouble, InterruptedException {
        PluginWait wait = new PluginWait(cluster, PLUGIN, JOB);
        Deadline patience = Deadline.in(ports.time(), TELL_AFTER);
        String told = "";
        while (!deadline.isExpired() && end.getCount() > 0) {
            try {
                if (isKnown.getAsBoolean() && isHealthy()) {
                    return true;
                }
                if (patience.isExpired()) {
                    told = tell(wait.words(), told, waits);
                    patience = Deadline.in(ports.time(), TELL_AGAIN);
                }
            } catch (Refused refused) {
                told = tell(full(refused), told, waits);
            }
            ports.time().sleep(LOOK_EVERY);
        }
        return false;
    }

    private boolean isHealthy() throws Refused, Trouble, InterruptedException {
        Optional<CsiPlugin> plugin =
                cluster.plugins().get(ReadQuery.now("default"), PLUGIN).body();
        return plugin.isPresent()
                && plugin.get().NodesHealthy() > 0
                && plugin.get().ControllersHealthy() > 0;
    }

    private Job job() throws DiskTrouble {
        Path launcher = Path.of(System.getProperty("cleat.launcher", "./cleat")).toAbsolutePath();
        Path calls = data.file("local-plugin.calls");
        makeFile(calls);
        Variables variables = Variables.none()
                .withFlag("pool", data.directory("pool").toString())
                .withFlag("calls", calls.toString());
        String resource = PLAIN;
        if (driver.equals(DockerDriver.NAME)) {
            resource = CONTAINED;
            variables = variables.withFlag("image", image);
        } else {
            variables = variables.withFlag("launcher", launcher.toString());
        }
        if (driver.equals(ExecDriver.NAME)) {
            resource = ISOLATED;
            variables = variables
                    .withFlag("paths", String.join(":", paths(launcher, calls)))
                    .withFlag("capabilities", String.join(",", capabilities()));
        }
        Source source = Source.of(resource, text(resource));
        return switch (JobFile.parse(source, variables, new RuntimeValues(ports.time(), ports.ids()))) {
            case Parsed.Good<Job>(Job job) -> job;
            case Parsed.Bad<Job> bad -> throw new InvariantBroken("the bundled plugin's job file is good", bad.lines());
        };
    }

    /** The program and what it runs on, as they are seen here; and what it writes. */
    private List<String> paths(Path launcher, Path calls) throws DiskTrouble {
        Path program = Objects.requireNonNull(launcher.getParent());
        List<Path> paths = new ArrayList<>();
        paths.add(program);
        paths.add(Path.of(System.getProperty("java.home", "")));
        // The jars are beside the launcher, unless it runs what was built elsewhere.
        Path jar = Path.of(System.getProperty("java.class.path", "").split(":", 2)[0]);
        Path jars = jar.toAbsolutePath().getParent();
        if (jars != null && !jars.startsWith(program)) {
            paths.add(jars);
        }
        paths.add(data.directory("pool"));
        paths.add(calls);
        return paths.stream().map(Path::toString).toList();
    }

    /** A container cannot have what this process has not. */
    private static List<String> capabilities() throws DiskTrouble {
        Path status = Path.of("/proc/self/status");
        try (Stream<String> lines = Files.lines(status)) {
            boolean hasAll = lines.filter(line -> line.startsWith("CapEff:"))
                    .map(line -> line.substring("CapEff:".length()).strip())
                    .anyMatch(set -> (Long.parseUnsignedLong(set, 16) >> CAP_SYS_RESOURCE & 1) == 1);
            return hasAll ? CAPABILITIES : CAPABILITIES.subList(0, 1);
        } catch (IOException e) {
            throw new DiskTrouble("reading " + status + ": " + e, Effect.NONE, Retry.SAME_CALL, e);
        }
    }

    /** What a container is to see must be there before, and nobody else reads what is called. */
    private static void makeFile(Path file) throws DiskTrouble {
        try {
            DataDirectory.keepToOwner(file);
        } catch (IOException e) {
            throw new DiskTrouble("making " + file + ": " + e, Effect.NONE, Retry.SAME_CALL, e);
        }
    }

    private static String text(String resource) throws DiskTrouble {
        try (InputStream file = LocalPluginJob.class.getResourceAsStream(resource)) {
            if (file == null) {
                throw new InvariantBroken("the bundled plugin's job file is in the jar", resource);
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new DiskTrouble("reading " + resource + ": " + e, Effect.NONE, Retry.NEVER, e);
        }
    }
}

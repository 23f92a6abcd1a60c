package io.cleat.localplugin;

import io.cleat.base.Chance;
import io.cleat.base.FaultHandler;
import io.cleat.base.Ids;
import io.cleat.base.Refused;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.kernel.FileSystems;
import io.cleat.kernel.LoopDevices;
import io.cleat.kernel.Mounts;
import io.grpc.BindableService;
import io.grpc.ServerInterceptor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The plugin's program: every object of it is made here. */
public final class Main {
    /** Held, or the level set on it would be forgotten. */
    private static final Logger BOOTSTRAP = Logger.getLogger("io.netty.bootstrap");

    /** Of damaged files, told one by one at a start. */
    private static final int MOST_TOLD = 100;

    private Main() {}

    /** Serves until it is told to stop. Exit codes: 0 stopped, 1 could not start, 2 usage. */
    public static void main(String[] arguments) throws InterruptedException {
        List<String> given = List.of(arguments);
        if (given.contains("--version")) {
            System.out.println(IdentityCalls.NAME + " " + version());
            return;
        }
        if (given.contains("--help")) {
            System.out.print(Options.USAGE);
            return;
        }
        settle();
        System.exit(run(given, System.getenv()));
    }

    private static int run(List<String> arguments, Map<String, String> environment) throws InterruptedException {
        try {
            Options options = Options.parse(arguments, environment);
            Endpoint endpoint = open(options);
            Runtime.getRuntime()
                    .addShutdownHook(Thread.ofPlatform().name("stop").unstarted(endpoint::close));
            System.out.println(IdentityCalls.NAME
                    + " "
                    + version()
                    + " serves the pool "
                    + options.pool()
                    + " on "
                    + options.socket());
            endpoint.await();
            return 0;
        } catch (Refused wrong) {
            System.err.println(wrong.refusal().message());
            System.err.print(Options.USAGE);
            return 2;
        } catch (CallRefused refused) {
            System.err.println(refused.sentence());
            return 1;
        } catch (Trouble trouble) {
            System.err.println(trouble.reason());
            return 1;
        }
    }

    /** Puts the plugin together and serves. */
    static Endpoint open(Options options) throws CallRefused, Trouble, InterruptedException {
        FaultHandler faults = new PluginFaults();
        Time time = new SystemTime();
        Pool pool = Pool.open(options.pool(), options.node(), time, Ids.random());
        pool.clearLeftovers();
        pool.markNames();
        tell(pool.damages());
        FileSystems fileSystems = FileSystems.linux();
        // A controller is no node: to it all nodes are others.
        String node = options.node().orElse("");
        Mounting mounting = new Mounting(pool, Mounts.linux(), LoopDevices.linux(time), time, Chance.system());
        Freezing freezing = new Freezing(pool, mounting, fileSystems, node);
        freezing.releaseLeftovers();
        Places places = new Places(pool, options.topology());
        FreeCapacity free = new FreeCapacity(pool, fileSystems, options.capacity());
        Programs programs = new Programs();
        Images images = new Images(programs);
        Growth growth = new Growth(pool, free, mounting, images);
        Health health = new Health(pool, free, mounting, node);
        Lifecycle lifecycle = new Lifecycle(options.checkLifecycle(), node);
        Answers answers = new Answers(faults);
        List<BindableService> services = new ArrayList<>();
        services.add(new IdentityCalls(version(), pool, options.csi(), answers));
        if (options.role().servesController()) {
            Copying copying = new Copying(free, programs);
            Snapshots snapshots = new Snapshots(pool, freezing, copying);
            SnapshotCalls snapshotCalls = new SnapshotCalls(snapshots, places);
            Creation creation = new Creation(
                    pool,
                    places,
                    free,
                    images,
                    options.role().servesNode(),
                    new Sources(pool, snapshots, freezing, copying));
            VolumeCalls volumes = new VolumeCalls(
                    pool,
                    places,
                    free,
                    images,
                    creation,
                    new Deletion(pool, mounting, node),
                    new Attaching(pool, mounting, lifecycle, node),
                    growth,
                    mounting,
                    health);
            services.add(new ControllerCalls(volumes, snapshotCalls, options.csi(), answers));
            services.add(new GroupCalls(snapshotCalls, answers));
        }
        if (options.role().servesNode()) {
            NodeSteps steps = new NodeSteps(pool, mounting, images, growth, node);
            NodeFacts facts = new NodeFacts(pool, places, mounting, fileSystems, health, node);
            services.add(new NodeCalls(pool, steps, facts, lifecycle, options.csi(), answers));
        }
        List<ServerInterceptor> interceptors = new ArrayList<>();
        if (options.callLog().isPresent()) {
            interceptors.add(new CallLog(options.callLog().get(), time));
        }
        return Endpoint.open(options.socket(), services, interceptors, Threads.virtual(faults));
    }

    /** Says what is not served; the rest is. */
    private static void tell(List<RecordDamaged> damages) {
        System.Logger log = System.getLogger(Main.class.getName());
        for (RecordDamaged damaged : damages.subList(0, Math.min(MOST_TOLD, damages.size()))) {
            log.log(System.Logger.Level.WARNING, "{0}", damaged.reason());
        }
        if (!damages.isEmpty()) {
            log.log(
                    System.Logger.Level.WARNING,
                    "{0} of the pool''s files cannot be used; what they describe is not served, all else is",
                    damages.size());
        }
    }

    /**
     * Before the first class of the gRPC library. The calls are few and small; pools of buffers would be most of the
     * process's memory. A Unix socket has no keep-alive, which would be reported at each start.
     */
    static void settle() {
        BOOTSTRAP.setLevel(Level.SEVERE);
        System.setProperty("io.netty.allocator.type", "unpooled");
        System.setProperty("io.grpc.netty.useCustomAllocator", "false");
        System.setProperty("io.netty.noPreferDirect", "true");
    }

    private static String version() {
        try (InputStream text = Main.class.getResourceAsStream("version.txt")) {
            return text == null ? "unknown" : new String(text.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException unreadable) {
            return "unknown";
        }
    }
}

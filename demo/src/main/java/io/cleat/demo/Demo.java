package io.cleat.demo;

import io.cleat.api.CleatClient;
import io.cleat.api.ServerAddress;
import io.cleat.base.Time;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The demo: the life of a volume, step by step, and an exit code that says whether all held. */
public final class Demo {
    private static final String FAILED = "failed";
    private static final String CUT_SHORT = "was interrupted";
    private static final int INTERRUPTED = 130;
    private static final int LAST_WORDS = 20;

    private final Path launcher;
    private final Path shim;
    private final PrintWriter out;
    private final Narrator.Look look;
    private final Time time;

    /**
     * @param launcher the program that starts an agent when given {@code dev}
     * @param shim the native program
     * @param colours whether colours are wanted
     * @param isTerminal whether {@code out} is a terminal
     */
    public Demo(Path launcher, Path shim, PrintWriter out, boolean colours, boolean isTerminal, Time time) {
        this.launcher = launcher;
        this.shim = shim;
        this.out = out;
        this.look = new Narrator.Look(colours, isTerminal);
        this.time = time;
    }

    /**
     * Tells the story.
     *
     * @param driver what plugin and workloads are to run under; empty for {@code exec} where it works
     * @param socket of the container engine, for {@code docker}
     * @param isLong whether with all that may happen to a volume later in its life
     * @param keeps whether the agent is left up at the end
     * @return 0 if each step was verified; 130 if it was interrupted; else 1
     */
    public int run(Optional<String> driver, Path socket, boolean isLong, boolean keeps) {
        Narrator narrator = new Narrator(out, look, time);
        try {
            requireRoot();
            Optional<ContainerEngine> engine = driver.filter("docker"::equals).map(_ -> new ContainerEngine(socket));
            if (engine.isPresent()) {
                var _ = engine.get().hello();
            }
            return tell(narrator, driver, engine, isLong, keeps);
        } catch (CheckFailed failed) {
            narrator.failed(failed);
            narrator.failure(FAILED);
            return 1;
        } catch (InterruptedException end) {
            return INTERRUPTED;
        }
    }

    private static void requireRoot() throws CheckFailed {
        try {
            Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            CheckFailed.unless(
                    user.equals(0),
                    "the demo needs root: it mounts, attaches loop devices and makes control"
                            + " groups; start it with: sudo ./cleat demo",
                    "user 0",
                    "user " + user);
        } catch (IOException unreadable) {
            throw CheckFailed.unseen("the user who runs this", unreadable);
        }
    }

    private int tell(
            Narrator narrator, Optional<String> driver, Optional<ContainerEngine> engine, boolean isLong, boolean keeps)
            throws CheckFailed, InterruptedException {
        int port = freePort();
        Workplace workplace = Workplace.make(shim);
        Optional<OurImage> image = engine.map(of -> OurImage.of(of, workplace));
        List<String> flags = new ArrayList<>();
        driver.ifPresent(name -> flags.add("-plugin-driver=" + name));
        image.ifPresent(ours -> flags.addAll(ours.flags()));
        AgentProcess agent = new AgentProcess(launcher, workplace, port, flags);
        // Its owner's way in, which needs no token.
        CleatClient client = new CleatClient(
                new ServerAddress.Unix(workplace.data().resolve("http.sock")), CleatClient.Options.NONE);
        DemoContext context = new DemoContext(
                workplace,
                agent,
                new Cluster(client),
                driver.orElse(""),
                image,
                narrator,
                new Polling(narrator, agent::check, time),
                time);
        Traces traces = new Traces();
        boolean isWell = false;
        String how = FAILED;
        try (Interruption _ = new Interruption(Thread.currentThread())) {
            try {
                narrator.title("The life of a volume on one machine. Everything is in " + workplace.root());
                DemoSteps steps = new DemoSteps(context, launcher, traces);
                steps.tell(isLong, keeps);
                narrator.success();
                if (keeps) {
                    narrator.say(steps.next());
                }
                isWell = true;
                return 0;
            } catch (CheckFailed failed) {
                if (Thread.interrupted()) {
                    how = CUT_SHORT;
                    return INTERRUPTED;
                }
                explain(narrator, agent, workplace, failed);
                return 1;
            } catch (InterruptedException end) {
                how = CUT_SHORT;
                return INTERRUPTED;
            } finally {
                if (!isWell) {
                    cleanUp(narrator, new Cleanup(workplace, agent, image, traces, time));
                    narrator.failure(how);
                }
            }
        }
    }

    private static void explain(Narrator narrator, AgentProcess agent, Workplace workplace, CheckFailed failed) {
        narrator.failed(failed);
        narrator.quote("tail " + workplace.log(), agent.lastWords(LAST_WORDS));
    }

    private static void cleanUp(Narrator narrator, Cleanup cleanup) throws InterruptedException {
        // An interruption is for the story, not for this.
        boolean _ = Thread.interrupted();
        narrator.say("   cleaning up …");
        List<String> left = cleanup.run();
        narrator.say(left.isEmpty() ? "   nothing is left" : "   left, for you to look at:");
        left.forEach(one -> narrator.say("     " + one));
    }

    private static int freePort() throws CheckFailed {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException failed) {
            throw CheckFailed.unseen("a free port", failed);
        }
    }
}

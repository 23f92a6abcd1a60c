package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Params;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Twice a second a volume and a job that uses it are made and deleted, and a job is made that ends by itself and that
 * nobody stops, beside a workload that stays. {@code -Dcleat.soak.seconds=N} goes on for another time; what the agent
 * takes is looked at twelve times, and written to {@code build/soak} with its slope.
 */
@Timeout(100_000)
class SoakTest {
    private static final int SECONDS = Integer.getInteger("cleat.soak.seconds", 6);
    private static final int LOOKS = 12;

    /** So many lives at a time at most, on a machine that is slower than they begin. */
    private static final int AT_ONCE = 16;

    /** What stays though all is deleted and collected: caches, pools, threads that wait for more. */
    private static final long MORE_DESCRIPTORS = 32;

    private static final long MORE_THREADS = 64;

    /** What is written until the next snapshot, two of those, and a file that is begun. */
    private static final long LOG_BYTES = 80L << 20;

    private static final Path SAVED =
            Path.of(System.getProperty("cleat.root", "..")).resolve("build/soak");

    private final AtomicInteger lives = new AtomicInteger();
    private final AtomicInteger over = new AtomicInteger();
    private final Semaphore places = new Semaphore(AT_ONCE);
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final List<Look> looks = new ArrayList<>();

    /** What the agent took after so many lives. */
    private record Look(int lives, Footprint footprint) {}

    private static String job(String id) {
        return """
        job "%s" {
          type = "batch"
          group "g" {
            volume "data" {
              type            = "csi"
              source          = "%s"
              access_mode     = "multi-node-multi-writer"
              attachment_mode = "file-system"
            }
            restart {
              attempts = 0
              mode     = "fail"
            }
            reschedule {
              attempts  = 0
              unlimited = false
            }
            ephemeral_disk {
              size = 10
            }
            task "t" {
              driver = "raw_exec"
              config {
                command = "/bin/sh"
                args    = ["-c", "echo x >$CLEAT_VOLUME_data/x"]
              }
              volume_mount {
                volume      = "data"
                destination = "data"
              }
              logs {
                max_files     = 1
                max_file_size = 1
              }
              resources {
                cpu    = 20
                memory = 16
              }
            }
          }
        }
        """.formatted(id, id);
    }

    /** Nobody stops it: it goes with its age, or because more than are kept have ended after it. */
    private static String endsByItself(String id) {
        return """
        job "%s" {
          type = "batch"
          group "g" {
            ephemeral_disk {
              size = 10
            }
            task "t" {
              driver = "raw_exec"
              config {
                command = "/bin/true"
              }
              logs {
                max_files     = 1
                max_file_size = 1
              }
              resources {
                cpu    = 20
                memory = 16
              }
            }
          }
        }
        """.formatted(id);
    }

    @Test
    void jobsAndVolumesThatComeAndGo_leaveNothing() throws Exception {
        try (AgentRun agent = AgentRun.prepare()) {
            agent.start();
            agent.create(Words.directory("stays"));
            agent.register(Words.beating("stays", "stays"));
            long process = agent.process(agent.running("stays").ID());
            ProcessHandle handle = agent.handle();
            live(agent, 0);
            look(agent);
            Footprint begin = looks.getFirst().footprint();
            try (ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
                    var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                ScheduledFuture<?> lived = clock.scheduleAtFixedRate(
                        () -> {
                            if (places.tryAcquire()) {
                                int number = lives.incrementAndGet();
                                threads.execute(() -> whole(agent, number));
                            }
                        },
                        0,
                        500,
                        TimeUnit.MILLISECONDS);
                ScheduledFuture<?> looked = clock.scheduleAtFixedRate(
                        () -> look(agent), SECONDS / LOOKS, Math.max(1, SECONDS / LOOKS), TimeUnit.SECONDS);
                assertFalse(clock.awaitTermination(SECONDS, TimeUnit.SECONDS));
                // On a busy machine they take longer.
                agent.awaits(() -> over.get() > SECONDS / 4, "enough lives are over");
                assertFalse(lived.isDone() || looked.isDone(), "one of them broke");
                clock.shutdownNow();
            }
            report();
            assertEquals(List.of(), List.copyOf(failures));
            assertEquals(handle.pid(), agent.handle().pid());
            assertEquals(process, agent.process(agent.running("stays").ID()), "it goes on");
            agent.awaits(
                    () -> agent.client().volumes().list(Params.none()).body().size() == 1, "the volumes are gone");
            agent.awaits(() -> isCollected(agent, begin), "their files are gone");
            assertEquals(
                    List.of("local-plugin", "stays"),
                    agent.client().jobs().list(Params.none()).body().stream()
                            .map(one -> one.ID())
                            .sorted()
                            .toList());
            look(agent);
            Footprint end = looks.getLast().footprint();
            report();
            assertTrue(end.descriptors() <= begin.descriptors() + MORE_DESCRIPTORS, this::table);
            assertTrue(end.threads() <= begin.threads() + MORE_THREADS, this::table);
            assertTrue(end.log() <= LOG_BYTES, this::table);
        }
    }

    private static boolean isCollected(AgentRun agent, Footprint begin) throws Exception {
        agent.client().agent().collectGarbage();
        return files(agent) <= begin.files();
    }

    private void whole(AgentRun agent, int number) {
        try {
            live(agent, number);
            over.incrementAndGet();
        } catch (Exception | AssertionError failed) {
            failures.add("life " + number + ": " + failed + told(agent, number));
        } finally {
            places.release();
        }
    }

    /** What the agent says of both jobs of a life that failed: it goes with the next collection. */
    private static String told(AgentRun agent, int number) {
        StringBuilder told = new StringBuilder();
        for (String job : List.of(stopped(number), alone(number))) {
            try {
                told.append("\n").append(job);
                for (var one : agent.client()
                        .jobs()
                        .allocations(job, true, Params.none())
                        .body()) {
                    told.append("\n  ").append(one);
                }
                for (var one :
                        agent.client().jobs().evaluations(job, Params.none()).body()) {
                    told.append("\n  ").append(one);
                }
            } catch (Exception unknown) {
                told.append(": ").append(unknown);
            }
        }
        return told.toString();
    }

    private static String stopped(int number) {
        return "soak-" + number;
    }

    private static String alone(int number) {
        return "alone-" + number;
    }

    private void live(AgentRun agent, int number) throws Exception {
        String id = stopped(number);
        agent.create(Words.directory(id));
        agent.register(job(id));
        String alone = alone(number);
        agent.register(endsByItself(alone));
        awaitsComplete(agent, id);
        awaitsComplete(agent, alone);
        agent.stop(id);
        agent.delete(id);
    }

    private static void awaitsComplete(AgentRun agent, String job) throws Exception {
        agent.awaits(
                () -> agent.client().jobs().allocations(job, true, Params.none()).body().stream()
                        .anyMatch(one -> one.ClientStatus().equals("complete")),
                job + " is complete");
    }

    private static long files(AgentRun agent) throws Exception {
        return Footprint.of(agent.handle(), agent.data()).files();
    }

    private void look(AgentRun agent) {
        try {
            looks.add(new Look(over.get(), Footprint.of(agent.handle(), agent.data())));
        } catch (Exception | AssertionError failed) {
            failures.add("a look: " + failed);
        }
    }

    private void report() throws IOException {
        Files.createDirectories(SAVED);
        Files.writeString(
                SAVED.resolve("table"), table(), StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
    }

    private String table() {
        StringBuilder table = new StringBuilder(row("lives", "heap KiB", "files", "descriptors", "threads", "log KiB"));
        for (Look look : looks) {
            Footprint taken = look.footprint();
            table.append(row(
                    look.lives(),
                    taken.heap() >> 10,
                    taken.files(),
                    taken.descriptors(),
                    taken.threads(),
                    taken.log() >> 10));
        }
        return table.append(row(
                        "per 1,000",
                        slope(of -> of.heap() >> 10),
                        slope(Footprint::files),
                        slope(Footprint::descriptors),
                        slope(Footprint::threads),
                        slope(of -> of.log() >> 10)))
                .toString();
    }

    private static String row(Object... cells) {
        return "%9s %10s %8s %12s %8s %8s%n".formatted(cells);
    }

    /** Of the straight line that fits best the second half of the looks, the last left out. */
    private String slope(ToLongFunction<Footprint> figure) {
        List<Look> half = looks.subList(looks.size() / 2, looks.size() - 1);
        double lives = half.stream().mapToInt(Look::lives).average().orElse(0);
        double mean = half.stream()
                .mapToLong(look -> figure.applyAsLong(look.footprint()))
                .average()
                .orElse(0);
        double above = 0;
        double below = 0;
        for (Look look : half) {
            double x = look.lives() - lives;
            above += x * (figure.applyAsLong(look.footprint()) - mean);
            below += x * x;
        }
        return below == 0 ? "-" : "%.1f".formatted(1000 * above / below);
    }
}

package io.cleat.artifact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.ArtifactTrouble;
import io.cleat.base.SystemTime;
import io.cleat.model.TaskArtifact;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jgit.api.Git;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What comes too slowly, is too much, or never ends: each is refused, with the limit and its name. */
final class BoundsTest {
    private static final int MEBI = 1 << 20;
    private static final FetchLimits IMPATIENT = limits(60, Long.MAX_VALUE, 100, Duration.ofSeconds(1));

    @TempDir
    Path directory;

    private final CountDownLatch over = new CountDownLatch(1);
    private Fetches fetches;

    @BeforeEach
    void begin() throws Exception {
        fetches = new Fetches(directory);
    }

    @AfterEach
    void end() {
        over.countDown();
        fetches.close();
    }

    private static FetchLimits limits(long seconds, long disk, int ratio) {
        return limits(seconds, disk, ratio, Duration.ofSeconds(20));
    }

    private static FetchLimits limits(long seconds, long disk, int ratio, Duration patience) {
        return new FetchLimits(Duration.ofSeconds(seconds), 64 * MEBI, 100, 256 * MEBI, disk, ratio, patience);
    }

    private Fetching fetching(FetchLimits limits) {
        return new Fetching(limits, List.of(directory), Fetches.LOOPBACK, Fetches.THREADS, new SystemTime());
    }

    private String refusal(Fetching fetching, String source) {
        return assertThrows(ArtifactTrouble.class, () -> fetching.fetch(Fetches.artifact(source), fetches.fresh()))
                .reason();
    }

    /** Bytes that nothing makes smaller. */
    private static byte[] chance(int size) {
        byte[] bytes = new byte[size];
        new Random(7).nextBytes(bytes);
        return bytes;
    }

    @Test
    void nothingIsLargerThanTheDiskOfTheTask_announcedOrNot() throws Exception {
        String announced = fetches.serve("/large", new byte[3 * MEBI]);
        fetches.serve("/endless", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (exchange;
                    OutputStream body = exchange.getResponseBody()) {
                for (int i = 0; i < 300; i++) {
                    body.write(new byte[1 << 14]);
                }
            }
        });
        String packed = fetches.serve(
                "/a.tgz", new Archives.Tar().zeros("zeros", 3 * MEBI).gzipped());
        Path local = Files.write(directory.resolve("local"), new byte[3 * MEBI]);
        for (String source : List.of(announced, fetches.url("/endless"), packed, local.toString())) {
            String words = refusal(fetching(limits(20, 2 * MEBI, 10_000)), source);
            assertTrue(words.contains("2097152 bytes, the disk of its group"), words);
            assertTrue(words.contains("ephemeral_disk"), words);
        }
    }

    @Test
    void theArtifactsOfATaskShareItsDisk() throws Exception {
        Fetching both = fetching(limits(20, 3 * MEBI, 10_000));
        String one = fetches.serve("/one", new byte[2 * MEBI]);
        String two = fetches.serve(
                "/two.tgz", new Archives.Tar().zeros("zeros", 2 * MEBI).gzipped());
        both.fetch(Fetches.artifact(one), fetches.fresh());
        String words = refusal(both, two);
        assertTrue(words.contains("with the other artifacts of its task"), words);
        fetching(limits(20, 3 * MEBI, 10_000)).fetch(Fetches.artifact(two), fetches.fresh());
    }

    @Test
    void anArchiveThatHoldsFarMoreThanItIsIsABomb_butNotASmallOne() throws Exception {
        byte[] bomb = new Archives.Tar().zeros("zeros", 40 * MEBI).gzipped();
        String words = refusal(fetching(limits(20, Long.MAX_VALUE, 100)), fetches.serve("/bomb.tgz", bomb));
        assertTrue(words.contains("more than 100 times the " + bomb.length + " bytes"), words);
        assertTrue(words.contains("-artifact-max-ratio"), words);
        Path small = fetching(limits(20, Long.MAX_VALUE, 100))
                .fetch(
                        Fetches.artifact(fetches.serve(
                                "/small.tgz",
                                new Archives.Tar().zeros("zeros", 8 * MEBI).gzipped())),
                        fetches.fresh());
        assertEquals(8 * MEBI, Files.size(small.resolve("zeros")));
    }

    @Test
    void aDownloadThatOnlyTricklesEnds() {
        fetches.serve("/trickle", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (exchange;
                    OutputStream body = exchange.getResponseBody()) {
                while (!over.await(50, TimeUnit.MILLISECONDS)) {
                    body.write(1);
                    body.flush();
                }
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        });
        String words = refusal(fetching(IMPATIENT), fetches.url("/trickle"));
        assertTrue(words.contains("less than 1024 bytes a second for 1 s"), words);
        String list = assertThrows(
                        ArtifactTrouble.class,
                        () -> fetching(IMPATIENT)
                                .fetch(
                                        Fetches.artifact(
                                                fetches.serve("/f", "x".getBytes(UTF_8)),
                                                Map.of("checksum", "file:" + fetches.url("/trickle")),
                                                TaskArtifact.Mode.ANY),
                                        fetches.fresh()))
                .reason();
        assertTrue(list.contains("less than 1024 bytes a second for 1 s"), list);
    }

    @Test
    void aRepositoryIsHeldToTheDiskWhileItComes() throws Exception {
        Path work = Files.createDirectory(directory.resolve("work"));
        try (Git git = Git.init().setDirectory(work.toFile()).call()) {
            for (int i = 0; i < 8; i++) {
                byte[] file = chance(MEBI);
                file[0] = (byte) i;
                Files.write(work.resolve("f" + i), file);
            }
            git.add().addFilepattern(".").call();
            git.commit()
                    .setSign(false)
                    .setAuthor("somebody", "s@example.com")
                    .setCommitter("somebody", "s@example.com")
                    .setMessage("large")
                    .call();
            fetches.serve("/n.git", new GitServer(git.getRepository(), "")::handle);
            String words = refusal(fetching(limits(20, 2 * MEBI, 100)), "git::" + fetches.url("/n.git"));
            assertTrue(words.contains("2097152 bytes, the disk of its group"), words);
        }
    }

    /** Each line begins the patience of a reader anew. */
    @Test
    void whatNeverEndsEndsWithItsTime_whereverItHangs() throws Exception {
        fetches.serve("/n.git", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/x-git-upload-pack-advertisement");
            exchange.sendResponseHeaders(200, 0);
            try (exchange;
                    OutputStream body = exchange.getResponseBody()) {
                body.write("001e# service=git-upload-pack\n0000".getBytes(UTF_8));
                for (int i = 1000; !over.await(50, TimeUnit.MILLISECONDS); i++) {
                    body.write(("0043" + "0".repeat(40) + " refs/heads/branch" + i + "\n").getBytes(UTF_8));
                    body.flush();
                }
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        });
        FetchProcess process = FetchProcess.start(
                Optional.empty(),
                fetches.fresh(),
                List.of(),
                Fetches.LOOPBACK,
                limits(15, Long.MAX_VALUE, 100),
                List.of(
                        Fetches.artifact("git::" + fetches.url("/n.git")),
                        Fetches.artifact(fetches.serve("/f", "x".getBytes(UTF_8)))),
                Fetches.THREADS);
        List<Outcome> outcomes = process.await();
        assertEquals(new Outcome.Fetched("1/file/f", false), outcomes.get(1));
        String words = outcomes.get(0).toString();
        assertTrue(words.contains("not there after 15 s"), words);
    }
}

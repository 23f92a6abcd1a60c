package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.Secrets;
import io.cleat.kernel.FileSystems;
import io.cleat.kernel.Mounts;
import io.cleat.testkit.SmallDisk;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** The data directory, with log, journal and volumes in it, runs out of room under all of it. */
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FullDiskTest {
    /** One after the other has it: each leaves room, and nothing but what runs before each. */
    private final AgentRun agent;

    /** Of the job that runs before each. */
    private String alloc = "";

    FullDiskTest() throws Exception {
        agent = AgentRun.prepare();
    }

    @BeforeAll
    void start() throws Exception {
        Mounts.linux().mount("cleat-test", agent.data(), "tmpfs", Set.of(), "size=400m,nr_inodes=20000");
        agent.start();
        agent.create(Words.directory("before"));
    }

    @BeforeEach
    void begin() throws Exception {
        agent.awaits(() -> isTaken("first"), "there is room");
        alloc = agent.running("first").ID();
        agent.awaits(() -> agent.process(alloc) > 0, "it runs");
    }

    /** A test that failed leaves the next one room too. */
    @AfterEach
    void empty() throws Exception {
        Files.deleteIfExists(filler());
    }

    @AfterAll
    void clear() {
        agent.close();
    }

    @Test
    void everythingIsRefusedWithTheReasonAndGoesOnWhenThereIsRoom() throws Exception {
        long process = agent.process(alloc);
        Path filler = fill();
        agent.awaits(() -> !isTaken("first"), "it is seen");
        refused(() -> agent.register(Words.beating("refused", "before")));
        refused(() -> agent.create(Words.directory("refused")));
        refused(() -> agent.stop("first"));
        saidByHealth();
        // Beside a change that the disk refuses just then it is refused with that change.
        agent.awaits(
                () -> assertThrows(
                                UnexpectedAnswer.class,
                                () -> agent.client().volumes().deregister("before", false, Params.none()))
                        .body()
                        .startsWith("volume in use: before"),
                "what changes nothing is answered as ever");
        assertEquals(alloc, agent.running("first").ID(), "it is read as before");
        assertEquals(process, agent.process(alloc), "the workload goes on");

        Files.delete(filler);
        agent.awaits(() -> isTaken("second"), "writes are taken again");
        agent.stop("second");
        agent.create(Words.directory("after"));
        agent.register(Words.beating("second", "after"));
        agent.running("second");
        assertEquals(process, agent.process(alloc), "the workload goes on");

        // What was refused is not there, what was taken is, also for the next agent.
        agent.kill();
        agent.start();
        assertEquals(alloc, agent.running("first").ID());
        agent.running("second");
        assertEquals(List.of("after", "before"), volumes());
        assertEquals(
                List.of("first", "local-plugin", "second"),
                agent.client().jobs().list(Params.none()).body().stream()
                        .map(job -> job.ID())
                        .sorted()
                        .toList());
        agent.stop("second");
        agent.delete("after");
    }

    /** Nobody could make room with an agent that refuses to end what takes it. */
    @Test
    void whatEndsIsDecidedFromTheReserve() throws Exception {
        agent.create(Words.directory("more"));
        agent.register(Words.beating("ends", "more"));
        agent.running("ends");

        Path filler = SmallDisk.fill(agent.data(), 16 << 20);
        agent.awaits(() -> !isTaken("first"), "it is seen");
        assertTrue(isWell(), agent::printed);
        refused(() -> agent.register(Words.beating("refused", "before")));
        refused(() -> agent.create(Words.directory("refused")));
        agent.stop("ends");
        agent.awaits(
                () -> Api.status(() -> agent.client().volumes().delete("more", Secrets.none(), Params.none())) == 200,
                "its claim is freed, and its volume can be deleted");
        assertEquals(List.of("before"), volumes());
        Files.delete(filler);
        agent.awaits(() -> isTaken("first"), "writes are taken again");
    }

    /** It ended after half a minute, without the reason, and nobody watched what ran. */
    @Test
    void aStartOnAFullDisk_readsAndWatches_andGoesOnByItself() throws Exception {
        Path filler = startWith(5 << 20);
        // Its health is known before its log is open.
        agent.awaits(() -> Api.status(() -> agent.client().jobs().list(Params.none())) == 200, "it is read");
        assertEquals(alloc, agent.running("first").ID(), "it is read as before");
        refused(() -> agent.register(Words.beating("refused", "before")));
        assertWatchesAndGoesOn(filler);
    }

    /** Less than what opening the log writes. */
    @Test
    void aStartWithoutRoomToOpenTheLog_watchesWhatRuns_andGoesOnByItself() throws Exception {
        Path filler = startWith(1 << 20);
        refused(() -> agent.client().jobs().list(Params.none()));
        assertWatchesAndGoesOn(filler);
    }

    /** Starts it anew with so many bytes left; what took the others. */
    private Path startWith(long left) throws Exception {
        agent.kill();
        Path filler = SmallDisk.fill(agent.data(), left);
        agent.begin();
        agent.awaits(this::isFull, "health names the disk");
        return filler;
    }

    private void assertWatchesAndGoesOn(Path filler) throws Exception {
        long process = agent.process(alloc);
        ProcessHandle.of(process).orElseThrow().destroyForcibly();
        agent.awaits(() -> agent.process(alloc) != 0 && agent.process(alloc) != process, "what ended is started again");

        Files.delete(filler);
        agent.awaits(() -> isTaken("first"), "writes are taken again");
        agent.awaits(this::isWell, "the node is linked, and the server well");
        assertEquals(alloc, agent.running("first").ID());
        // It offered what was free at its start, for as long as it lived.
        agent.register(Words.beating("placed", "before"));
        agent.running("placed");
        agent.stop("placed");
    }

    private List<String> volumes() throws Exception {
        return agent.client().volumes().list(Params.none()).body().stream()
                .map(volume -> volume.ID())
                .sorted()
                .toList();
    }

    private boolean isWell() throws Exception {
        return Api.status(() -> agent.client().agent().health()) == 200;
    }

    private boolean isFull() {
        try {
            saidByHealth();
            return true;
        } catch (AssertionError notYet) {
            return false;
        }
    }

    /** It said that there is no leader. */
    private void saidByHealth() {
        UnexpectedAnswer answer = assertThrows(
                UnexpectedAnswer.class, () -> agent.client().agent().health());
        assertNamesTheDisk(answer.body());
    }

    private void assertNamesTheDisk(String words) {
        assertTrue(
                words.matches("(?s).*the file system of "
                        + agent.data()
                        + "\\S* \\(\\d+ MiB free, at least 32 MiB are wanted\\) is full.*"),
                words);
    }

    /** An agent to try things with waited for its plugin without a word. */
    @Test
    void onASmallDisk_itIsSaidWhatThePluginWaitsFor() throws Exception {
        try (AgentRun small = AgentRun.prepare()) {
            Mounts.linux().mount("cleat-test", small.data(), "tmpfs", Set.of(), "size=56m");
            small.begin();
            small.awaits(
                    () -> small.printed()
                            .contains("The plugin \"local\" waits: no node has room for its job: not enough disk"),
                    "it is said");
        }
    }

    /** Bytes were to be had, and no record of another allocation could be made. */
    @Test
    void whereNoMoreFilesCanBeMade_newWorkIsRefused_andWhatEndsIsDecided() throws Exception {
        Path many = Files.createDirectory(agent.data().resolve("many"));
        FileSystems disk = FileSystems.linux();
        int files = 0;
        for (; disk.usage(agent.data()).inodesFree() > 600; files++) {
            Files.createFile(many.resolve(Integer.toString(files)));
        }
        agent.awaits(() -> !isTaken("first"), "it is seen");
        UnexpectedAnswer answer =
                assertThrows(UnexpectedAnswer.class, () -> agent.register(Words.beating("refused", "before")));
        assertTrue(answer.body().contains("files more, at least"), answer.body());
        agent.stop("first");
        agent.awaits(() -> agent.process(alloc) == 0, "what was to end has ended");
        for (int file = 0; file < files; file++) {
            Files.delete(many.resolve(Integer.toString(file)));
        }
        agent.awaits(() -> isTaken("first"), "writes are taken again");
    }

    /** The refusal names the file system and what to do. */
    private void refused(Executable write) {
        UnexpectedAnswer answer = assertThrows(UnexpectedAnswer.class, write, agent::printed);
        assertEquals(429, answer.status(), answer::body);
        assertNamesTheDisk(answer.body());
    }

    /** Whether a job can be registered, which may be there already, as it is. */
    private boolean isTaken(String job) throws Exception {
        return Api.status(() -> agent.register(Words.beating(job, "before"))) == 200;
    }

    private Path filler() {
        return agent.data().resolve("filler");
    }

    /** Writes until the kernel takes no more. */
    private Path fill() throws IOException {
        Path filler = filler();
        byte[] block = new byte[65_536];
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            assertTrue(String.valueOf(full.getMessage()).contains("No space"), full.toString());
            return filler;
        }
    }
}

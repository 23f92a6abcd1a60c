package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AllocationStub;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Volumes of every mode on two nodes, through the one controller. */
class SplitPluginTest extends SplitPluginGround {
    private static final String READERS = "multi-node-reader-only";
    private static final String ONE_WRITER = "multi-node-single-writer";

    /** Tries to write once; says the last number again and again. */
    private static final String LOOK = "touch $CLEAT_VOLUME_data/mine 2>/dev/null && echo wrote; while :; do"
            + " tail -n 1 $CLEAT_VOLUME_data/numbers 2>/dev/null || echo none; sleep 0.1; done";

    SplitPluginTest() throws Exception {}

    @Test
    void bothNodesShareVolumesThroughTheOneController() throws Exception {
        start();
        manyWriters();
        manyReaders();
        oneWriterAndManyReaders();
        assertEndsWithNothing(List.of("many", "readers", "one"), "beat", "look", "see", "next");
    }

    private void manyWriters() throws Exception {
        api.create(volume("many", MANY));
        api.run(job("beat", "system", "many", MANY, false, BEAT));
        for (NodeMachine machine : machines) {
            AllocationStub alloc = api.awaitRunning("beat", machine.name());
            assertGrows(data("many").resolve(alloc.ID()));
            assertTrue(volumes(machine, alloc).stream().anyMatch(line -> line.contains(" rw,")));
        }
        assertEquals(Set.of("at-one", "at-two"), api.attachedTo("local", "many"));
    }

    private void manyReaders() throws Exception {
        api.create(volume("readers", READERS));
        Files.writeString(data("readers").resolve("numbers"), "4711\n");
        api.run(job("look", "system", "readers", READERS, true, LOOK));
        for (NodeMachine machine : machines) {
            assertSeesAndDoesNotWrite("look", machine, "4711"::equals);
        }
        assertEquals(Set.of("at-one", "at-two"), api.attachedTo("local", "readers"));
    }

    private void assertSeesAndDoesNotWrite(String job, NodeMachine machine, Predicate<String> what) throws Exception {
        AllocationStub alloc = api.awaitRunning(job, machine.name());
        Api.await(
                () -> api.printed(alloc.ID(), "t").lines().anyMatch(what),
                job + " sees on " + machine + " what is written");
        assertTrue(!api.printed(alloc.ID(), "t").contains("wrote"));
        assertEquals(List.of(), rightsBesides("ro", volumes(machine, alloc)));
    }

    /** Its mounts, but for the one that its directory is. */
    private static List<String> volumes(NodeMachine machine, AllocationStub alloc) throws Exception {
        return machine.mounts(alloc.ID()).stream()
                .filter(line -> !line.split(" ", -1)[4].endsWith("/alloc/" + alloc.ID()))
                .toList();
    }

    private static List<String> rightsBesides(String right, List<String> mounts) {
        return mounts.stream()
                .filter(line -> !line.split(" ", -1)[5].startsWith(right))
                .toList();
    }

    /** CSI attaches a node read-only or for writing, and changes that only by detaching it. */
    private void oneWriterAndManyReaders() throws Exception {
        api.create(volume("one", ONE_WRITER));
        api.run(job("see", "system", "one", ONE_WRITER, true, LOOK));
        for (NodeMachine machine : machines) {
            assertSeesAndDoesNotWrite("see", machine, "none"::equals);
        }
        api.run(job("count", "service", "one", ONE_WRITER, false, COUNT));
        Api.await(
                () -> api.notPlaced("count").contains("its readers here are attached read-only"),
                "the writer waits for the readers");
        api.stop("see");
        Api.await(() -> place("count").isPresent(), "the writer is placed by itself");
        NodeMachine writes = place("count").orElseThrow();
        assertGrows(data("one").resolve("numbers"));

        api.run(job("see", "system", "one", ONE_WRITER, true, LOOK));
        for (NodeMachine machine : machines) {
            int last = numbers("one").getLast();
            assertSeesAndDoesNotWrite("see", machine, line -> Integer.parseInt(line) > last);
        }
        assertEquals(Set.of("at-one", "at-two"), api.attachedTo("local", "one"));

        api.run(job("next", "service", "one", ONE_WRITER, false, COUNT));
        Api.await(
                () -> api.notPlaced("next").contains("has exhausted its available writer claims"),
                "the next writer waits for the first");
        api.stop("count");
        api.awaitRunning("next", writes.name());
        assertGrows(data("one").resolve("numbers"));
        assertOneWriterAtATime("one");
    }
}

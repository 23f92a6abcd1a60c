package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.agent.alloc.KeptFiles.Left;
import io.cleat.agent.task.TaskRecord;
import io.cleat.agent.task.TestTasks;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.kernel.FileSystems;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobType;
import io.cleat.model.TaskState;
import io.cleat.wire.ToNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EndedFilesTest {
    private final List<String> told = new ArrayList<>();
    private FileSystems.Usage usage = used(10, 10);
    private boolean isUnknown;
    private final EndedFiles files = new EndedFiles(new KeptFiles(2, 80, 70), () -> {
        if (isUnknown) {
            throw new KernelTrouble("statvfs", Effect.NONE, Retry.SAME_CALL);
        }
        return usage;
    });

    private static FileSystems.Usage used(int disk, int inodes) {
        return new FileSystems.Usage(1000, 1000 - 10 * disk, 10 * disk, 100, 100 - inodes);
    }

    private static KnownAllocation known(String id, int at) {
        ToNode.Assignment assignment = new ToNode.Assignment(
                id,
                "web.g[0]",
                0,
                "eval",
                TestTasks.job(JobType.SERVICE, Map.of(), TestTasks.task("t", 0, null)),
                0,
                "g",
                DesiredStatus.STOP,
                Map.of(),
                false,
                null);
        TaskState ended = new TaskState(
                TaskState.Phase.DEAD, false, 0, null, Instant.EPOCH, Instant.EPOCH.plusSeconds(at), List.of());
        return KnownAllocation.of(assignment, Instant.EPOCH).withTask("t", TaskRecord.NEW.idle(ended));
    }

    private KnownAllocation ends(int at) {
        KnownAllocation known = known("a" + at, at);
        files.ended(known, left -> told.add(known.allocId() + " " + left));
        return known;
    }

    /** Tells, and gives up at once what is told. */
    private void endsAndGivesUp(int at) {
        KnownAllocation known = known("a" + at, at);
        files.ended(known, left -> {
            told.add(known.allocId() + " " + left);
            files.gaveUp(known, left);
        });
    }

    @Test
    void theNewestKeepAllAndTheOthersTheirLogs() {
        for (int at : List.of(3, 1, 2, 5, 4)) {
            endsAndGivesUp(at);
        }
        assertEquals(List.of("a1 LOGS", "a2 LOGS", "a3 LOGS"), told);
    }

    @Test
    void oneGivesUpAfterTheOther() {
        KnownAllocation first = ends(1);
        ends(2);
        ends(3);
        ends(4);
        assertEquals(List.of("a1 LOGS"), told);
        files.gaveUp(first, Left.LOGS);
        assertEquals(List.of("a1 LOGS", "a2 LOGS"), told);
    }

    @Test
    void oneThatNobodyWants_isNext_andKeepsNothing() {
        KnownAllocation first = ends(1);
        KnownAllocation second = ends(2);
        ends(3);
        KnownAllocation last = ends(4);
        files.giveUp(last);
        assertEquals(List.of("a1 LOGS"), told, "one after the other");
        files.gaveUp(first, Left.LOGS);
        assertEquals(List.of("a1 LOGS", "a4 NOTHING"), told);
        files.gaveUp(last, Left.NOTHING);
        files.giveUp(last);
        assertEquals(List.of("a1 LOGS", "a4 NOTHING"), told, "two may keep theirs");
        files.giveUp(second);
        assertEquals(List.of("a1 LOGS", "a4 NOTHING", "a2 NOTHING"), told);
    }

    @Test
    void oneThatNobodyWants_andWhoseEndIsToldOfLater_givesUpThen() {
        files.giveUp(known("a1", 1));
        assertEquals(List.of(), told);
        ends(1);
        assertEquals(List.of("a1 NOTHING"), told);
    }

    @Test
    void ofAll_eachGivesUp_alsoOneThatIsGivingUpAPartAlready() {
        KnownAllocation first = ends(1);
        KnownAllocation second = ends(2);
        ends(3);
        files.giveUpAll();
        assertEquals(List.of("a1 LOGS"), told);
        files.gaveUp(first, Left.LOGS);
        files.gaveUp(first, Left.NOTHING);
        files.leaves(second);
        assertEquals(List.of("a1 LOGS", "a1 NOTHING", "a2 NOTHING", "a3 NOTHING"), told);
    }

    @Test
    void oneThatIsRemovedMeanwhileHoldsNobodyUp() {
        KnownAllocation first = ends(1);
        ends(2);
        ends(3);
        ends(4);
        files.leaves(first);
        assertEquals(List.of("a1 LOGS", "a2 LOGS"), told);
    }

    @Test
    void onAFullDiskAllGoesButLogs_andOnAFullerOneTheLogsOfThoseThatEndedFirst() {
        endsAndGivesUp(1);
        endsAndGivesUp(2);
        assertEquals(List.of(), told);
        usage = used(81, 10);
        files.look();
        assertEquals(List.of("a1 LOGS", "a2 LOGS"), told);
        usage = used(91, 10);
        files.look();
        assertEquals(List.of("a1 LOGS", "a2 LOGS", "a1 NOTHING", "a2 NOTHING"), told, "and no more");
        files.look();
        assertEquals(4, told.size());
    }

    @Test
    void whatIsFreedMeanwhileIsEnough() {
        KnownAllocation first = ends(1);
        ends(2);
        usage = used(10, 71);
        files.look();
        usage = used(10, 69);
        files.gaveUp(first, Left.LOGS);
        assertEquals(List.of("a1 LOGS"), told);
    }

    /** What the server lets go first is what ended first: it held up all others for ever. */
    @Test
    void oneThatCannotBeRemoved_isNotToldAnyMore() {
        KnownAllocation stuck = ends(1);
        files.leaves(stuck);
        endsAndGivesUp(2);
        endsAndGivesUp(3);
        endsAndGivesUp(4);
        assertEquals(List.of("a2 LOGS"), told);
    }

    /** One file system makes its places for files as it needs them, another cannot be asked. */
    @Test
    void whatIsNotKnownTakesNothing() {
        usage = new FileSystems.Usage(1000, 900, 100, 0, 0);
        endsAndGivesUp(1);
        files.look();
        isUnknown = true;
        endsAndGivesUp(2);
        files.look();
        assertEquals(List.of(), told);
    }
}

package io.cleat.agent.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.task.TestTasks;
import io.cleat.base.LinkTrouble;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobType;
import io.cleat.wire.ToNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AssignmentsOfLinkTest {
    @TempDir
    Path directory;

    private final List<String> acted = new ArrayList<>();
    private LastObeyed obeyed;
    private AssignmentsOfLink link;

    @BeforeEach
    void connect() throws Exception {
        obeyed = LastObeyed.at(directory.resolve("obeyed"));
        obeyed.join("cluster", 1);
        link = new AssignmentsOfLink(obeyed, new Acting());
    }

    private static ToNode.Assignment one(String id) {
        return new ToNode.Assignment(
                id,
                "web.g[0]",
                0,
                "eval",
                TestTasks.job(JobType.SERVICE, Map.of(), TestTasks.task("t", 0, null)),
                0,
                "g",
                DesiredStatus.RUN,
                Map.of(),
                false,
                null);
    }

    private static ToNode.Assignments whole(long version, boolean more, String... ids) {
        return new ToNode.Assignments(version, "reign", ones(ids), more);
    }

    private static ToNode.AssignmentChanges changes(long since, long version, String... ids) {
        return new ToNode.AssignmentChanges(since, version, "reign", ones(ids), List.of("gone"));
    }

    private static List<ToNode.Assignment> ones(String... ids) {
        return List.of(ids).stream().map(AssignmentsOfLinkTest::one).toList();
    }

    /** What is in a later part would else be destroyed. */
    @Test
    void nothingIsActedOnBeforeTheLastPart() throws Exception {
        link.hear(whole(3, true, "a", "b"));
        link.hear(whole(3, true, "c"));
        assertEquals(List.of(), acted);
        link.hear(whole(3, false, "d"));
        assertEquals(List.of("all of 3: a b c d"), acted);
    }

    @Test
    void changesFollowWhatWasActedOn() throws Exception {
        link.hear(whole(3, false, "a"));
        link.hear(changes(3, 5, "b"));
        link.hear(changes(5, 5, "c"));
        link.hear(changes(5, 9));
        assertEquals(List.of("all of 3: a", "5: b, without gone", "5: c, without gone", "9: , without gone"), acted);
    }

    @Test
    void changesOfWhatWasNotHeard_endTheLink() throws Exception {
        LinkTrouble first = assertThrows(LinkTrouble.class, () -> link.hear(changes(3, 5, "b")));
        assertTrue(first.reason().contains("nothing that it said"), first.reason());
        link.hear(whole(6, false, "a"));
        LinkTrouble second = assertThrows(LinkTrouble.class, () -> link.hear(changes(7, 8, "b")));
        assertTrue(second.reason().contains("has acted on version 6"), second.reason());
        assertEquals(List.of("all of 6: a"), acted);
    }

    /** An older image is not acted on, and so neither is what is different from it. */
    @Test
    void changesOfWhatIsNotObeyed_endTheLink() throws Exception {
        link.hear(whole(9, false, "a"));
        AssignmentsOfLink next = new AssignmentsOfLink(obeyed, new Acting());
        next.hear(whole(8, false, "b"));
        assertThrows(LinkTrouble.class, () -> next.hear(changes(8, 10, "c")));
        assertEquals(List.of("all of 9: a"), acted);
    }

    private final class Acting extends NothingAssigned {
        @Override
        public void assign(long version, List<ToNode.Assignment> all) {
            acted.add("all of " + version + ": " + ids(all));
        }

        @Override
        public void change(long version, List<ToNode.Assignment> changed, List<String> gone) {
            acted.add(version + ": " + ids(changed) + ", without " + String.join(" ", gone));
        }

        private static String ids(List<ToNode.Assignment> some) {
            return String.join(
                    " ", some.stream().map(ToNode.Assignment::allocId).toList());
        }
    }
}

package io.cleat.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.InvariantBroken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The tables of the life cycles and their picture. To write the picture anew after a table has changed: {@code mvn test
 * -pl state -am -Dtest=LifeCyclesTest -Dtest.jvm.more=-Dcleat.write=true}.
 */
final class LifeCyclesTest {
    private static final Path PAGE = Path.of(System.getProperty("cleat.root", ".."), "docs", "life-cycles.md");

    @Test
    void thePageShowsTheTables() throws IOException {
        Map<String, LifeCycle<?>> tables = new LinkedHashMap<>();
        tables.put("Claim", ClaimState.LIFE);
        tables.put("Attachment", AttachmentState.LIFE);
        tables.put("Operation", OperationState.LIFE);
        tables.put("Evaluation", EvaluationStatus.LIFE);
        tables.put("Allocation (client status)", AllocationRow.LIFE);
        tables.put("Deployment", DeploymentRow.LIFE);
        tables.put("Node", NodeStatus.LIFE);
        StringBuilder page = new StringBuilder("# Life cycles\n\n"
                + "Written by `LifeCyclesTest` from the tables beside the enums in `state`; the tables decide.\n");
        tables.forEach((name, table) -> page.append("\n## ")
                .append(name)
                .append("\n\n```mermaid\n")
                .append(table.diagram())
                .append("```\n"));
        if (Boolean.getBoolean("cleat.write")) {
            Files.writeString(PAGE, page, StandardCharsets.UTF_8);
        }
        assertEquals(page.toString(), Files.readString(PAGE, StandardCharsets.UTF_8));
    }

    @Test
    void aMoveThatIsNotInTheTableIsAFault() {
        assertThrows(InvariantBroken.class, () -> ClaimState.LIFE.move(ClaimState.RELEASING, ClaimState.GRANTED));
        assertEquals(ClaimState.GRANTED, ClaimState.LIFE.move(ClaimState.WAITING, ClaimState.GRANTED));
    }

    @Test
    void aGrantedClaimGoesOnlyThroughItsRelease() {
        assertFalse(ClaimState.LIFE.mayEnd(ClaimState.GRANTED));
        assertTrue(ClaimState.LIFE.mayEnd(ClaimState.RELEASING));
    }

    @Test
    void anAttachmentGoesOnlyFromDetaching() {
        assertFalse(AttachmentState.LIFE.mayEnd(AttachmentState.ATTACHING));
        assertFalse(AttachmentState.LIFE.mayEnd(AttachmentState.ATTACHED));
    }
}

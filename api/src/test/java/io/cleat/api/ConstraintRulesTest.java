package io.cleat.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ConstraintRulesTest {
    private static String faults(String left, String operand, String right) {
        Faults faults = new Faults();
        ConstraintRules.check(List.of(new Constraint(left, operand, right)), faults);
        return String.join("\n", faults.list());
    }

    @Test
    void regexp_thatRe2DoesNotHave_isRefusedInTheWordsOfGo() {
        String said = faults("${node.class}", "regexp", "(a)\\1");
        assertTrue(
                said.contains(
                        "Regular expression failed to compile: error parsing regexp: invalid escape sequence: `\\1`"),
                said);
    }

    @Test
    void regexp_thatWouldFillTheHeap_isRefused() {
        String said = faults("${node.class}", "regexp", "((a{1000}){1000}){1000}");
        assertTrue(said.contains("expression too large"), said);
    }

    @Test
    void sides_ofAnyLength_areNotTaken() {
        assertEquals("", faults("${node.class}", "=", "a".repeat(4096)));
        String said = faults("a".repeat(5000), "set_contains", "a,".repeat(3000));
        assertTrue(said.contains("LTarget has 5000 characters; the most is 4096"), said);
        assertTrue(said.contains("RTarget has 6000 characters; the most is 4096"), said);
    }
}

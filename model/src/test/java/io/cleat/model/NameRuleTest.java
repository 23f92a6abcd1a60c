package io.cleat.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameRuleTest {
    @ParameterizedTest
    @ValueSource(strings = {"web", "a.b", "...", ".hidden", "with space", "[0]", "\u4f60\u597d", "a:b@c%20", "-x"})
    void whatNomadAcceptsAndIsSafe_isAName(String name) {
        assertEquals(Optional.empty(), NameRule.partFault("group name", name));
        assertEquals(Optional.empty(), NameRule.taskFault(name));
        assertEquals(Optional.empty(), NameRule.idFault("job id", name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a\nb", "\0", "\u001b[2J", "\u202e", "\ud800", "\u0085"})
    void whatIsADirectoryOrNoLine_isNoName(String name) {
        assertTrue(NameRule.partFault("group name", name).isPresent());
        assertTrue(NameRule.taskFault(name).isPresent());
        assertTrue(NameRule.idFault("job id", name).isPresent());
        assertFalse(NameRule.isPart(name));
    }

    @Test
    void onlyAnId_mayHaveSlashes_andNoPartOfItIsADirectory() {
        assertEquals(Optional.empty(), NameRule.idFault("job id", "batch/dispatch-1795-2849ded8"));
        assertTrue(NameRule.taskFault("a/b").isPresent());
        assertTrue(NameRule.taskFault("a\\b").isPresent());
        assertEquals(
                "volume id \"a/../b\" has the part \"..\", which is a directory; rename it",
                NameRule.idFault("volume id", "a/../b").orElseThrow());
        assertTrue(NameRule.idFault("volume id", "a/.").isPresent());
    }

    @Test
    void aNameOfTheMostBytes_isOne_andOneByteMoreIsNone() {
        assertEquals(Optional.empty(), NameRule.taskFault("x".repeat(128)));
        assertTrue(NameRule.taskFault("x".repeat(129)).isPresent());
        assertTrue(NameRule.taskFault("\u4f60".repeat(43)).isPresent());
        assertEquals(Optional.empty(), NameRule.idFault("job id", "x".repeat(255)));
        assertEquals(
                "job id \"" + "x".repeat(64) + " ... (256 characters)\" has 256 bytes; at most 255 are allowed",
                NameRule.idFault("job id", "x".repeat(256)).orElseThrow());
    }

    @Test
    void aTask_isNotCalledLikeTheDirectoryThatAllShare() {
        assertTrue(NameRule.taskFault("alloc").orElseThrow().contains("share"));
        assertEquals(Optional.empty(), NameRule.partFault("group name", "alloc"));
    }

    @Test
    void aTask_isNotCalledLikeTheDirectoryOfOneWithAnOlderName() {
        assertTrue(NameRule.taskFault("task%20alloc").isPresent());
        assertFalse(NameRule.isPart("task%20a%2Fb"));
        assertEquals(Optional.empty(), NameRule.taskFault("task 20"));
    }
}

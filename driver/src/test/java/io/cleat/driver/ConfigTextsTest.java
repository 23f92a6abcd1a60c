package io.cleat.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigTextsTest {
    @Test
    void aTextWithNul_isAFaultWithItsPlace() {
        List<String> faults = new ArrayList<>();
        ConfigTexts.check(Map.of("args", List.of("a", "b\0")), faults);
        ConfigTexts.check(Map.of("command", "\0"), faults);
        ConfigTexts.check(Map.of("command", "/bin/sh", "args", List.of("a\nb\t"), "n", 5L), faults);
        assertEquals(
                List.of(
                        "config args[1] holds a NUL character at position 1; remove it",
                        "config command holds a NUL character at position 0; remove it"),
                faults);
    }

    @Test
    void aTextWithNul_inABlock_isAFaultWithItsPlace() {
        List<String> faults = new ArrayList<>();
        ConfigTexts.check(Map.of("mount", List.of(Map.of("source", "a\0", "readonly", true))), faults);
        ConfigTexts.check(Map.of("ulimit", Map.of("nofile\0", "1:2")), faults);
        ConfigTexts.check(Map.of("args", List.of("x\ud800")), faults);
        assertEquals(
                List.of(
                        "config mount[0].\"source\" holds a NUL character at position 1; remove it",
                        "a name in config ulimit holds a NUL character at position 6; remove it",
                        "config args[0] is not valid Unicode: half of a surrogate pair stands at position 1"),
                faults);
    }

    @Test
    void aVariable_thatNoProcessCanHave_isAFault() {
        List<String> faults = new ArrayList<>();
        ConfigTexts.checkVariables(Map.of("A", "one\ntwo"), faults);
        assertEquals(List.of(), faults);
        ConfigTexts.checkVariables(Map.of("A", "b\0c"), faults);
        ConfigTexts.checkVariables(Map.of("A=B", "c"), faults);
        ConfigTexts.checkVariables(Map.of("", "c"), faults);
        assertEquals(
                List.of(
                        "variable \"A\" holds a NUL character at position 1; remove it",
                        "variable \"A=B\" has a name that is empty or holds an equals sign",
                        "variable \"\" has a name that is empty or holds an equals sign"),
                faults);
    }
}

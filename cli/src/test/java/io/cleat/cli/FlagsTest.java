package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FlagsTest {
    private static final List<Flag> KNOWN = List.of(
            Flag.JSON, Flag.value("address", "url", "Where."), Flag.repeated("var", "key=value", "A variable."));

    @Test
    void anothersCommandLineIsKeptAsItIs() throws Exception {
        Flags flags = Flags.parse(List.of("-json", "alloc", "ls", "-la", "--", "-h"), KNOWN, 1);
        assertEquals(List.of("alloc", "ls", "-la", "--", "-h"), flags.rest());
        assertEquals(
                List.of("alloc", "-x"),
                Flags.parse(List.of("alloc", "--", "-x"), KNOWN, 1).rest());
    }

    private static Flags parse(String... args) throws Failure {
        return Flags.parse(List.of(args), KNOWN);
    }

    @Test
    void oneDashOrTwoAndBothWaysToGiveAValue() throws Failure {
        for (Flags flags : List.of(
                parse("-json", "-address=http://a", "x"),
                parse("--json", "--address", "http://a", "x"),
                parse("x", "-json=true", "-address", "http://a"))) {
            assertTrue(flags.has(Flag.JSON));
            assertEquals(Optional.of("http://a"), flags.value("address"));
            assertEquals(List.of("x"), flags.rest());
        }
    }

    @Test
    void aSwitchCanBeTurnedOff() throws Failure {
        assertFalse(parse("-json=false").has(Flag.JSON));
        assertFalse(parse("-json", "-json=false").has(Flag.JSON));
    }

    @Test
    void repeatedFlagsKeepEachValueAndTheirOrder() throws Failure {
        Flags flags = parse("-var", "b=1", "-var=a=x=y", "-var=b=2");
        assertEquals(List.of("b=1", "a=x=y", "b=2"), flags.values("var"));
        assertEquals(Map.of("a", "x=y", "b", "2"), flags.pairs("var"));
        assertEquals(List.of(), parse().values("var"));
    }

    @Test
    void twoDashesEndTheFlagsAndOneIsAnArgument() throws Failure {
        Flags flags = parse("-", "--", "-json", "-h");
        assertEquals(List.of("-", "-json", "-h"), flags.rest());
        assertFalse(flags.has(Flag.JSON));
        assertFalse(flags.isHelpWanted());
    }

    @Test
    void anUnknownFlagNamesTheNearest() {
        Failure near = assertThrows(Failure.class, () -> parse("-adress=x"));
        assertEquals("no flag -adress here", near.reason());
        assertEquals("did you mean -address?", near.next());
        assertNull(assertThrows(Failure.class, () -> parse("-zzz")).next());
    }

    @Test
    void aMissingOrWrongValueIsNamed() {
        assertEquals(
                "flag -address needs a value: -address=<url>",
                assertThrows(Failure.class, () -> parse("-address")).reason());
        assertEquals(
                "flag -json is a switch: expected true or false, got \"yes\"",
                assertThrows(Failure.class, () -> parse("-json=yes")).reason());
        assertEquals(
                "flag -var takes key=value",
                assertThrows(Failure.class, () -> parse("-var=hunter2").pairs("var"))
                        .reason());
    }
}

package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextPathTest {
    private static final Path ROOT = Path.of("/srv/cleat");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "/",
                "a/../..",
                "../../etc",
                "\0",
                "a\0b",
                "\ud800",
                "\n",
                "%",
                "a b",
                "\u4f60\u597d"
            })
    void anyText_isOneEntryOfItsDirectory(String text) {
        Path entry = TextPath.entry(ROOT, text);
        assertEquals(ROOT, entry.getParent());
        assertEquals(entry, entry.normalize());
    }

    @Test
    void plainIdsStayAsTheyAre() {
        assertEquals("2849ded8-c520", TextPath.encoded("2849ded8-c520"));
        assertEquals("vol%5B0%5D", TextPath.encoded("vol[0]"));
        assertEquals("%2E.", TextPath.encoded(".."));
        assertEquals("%70lugins", TextPath.encoded("plugins", true));
    }

    @Test
    void aNameThatWouldBeTooLong_endsInADigestAndStaysItsOwn() {
        String one = TextPath.encoded("\u4f60".repeat(85));
        String other = TextPath.encoded("\u4f60".repeat(84) + "\u597d");
        assertTrue(one.length() <= 255, one);
        assertNotEquals(one, other);
        assertEquals("x".repeat(255), TextPath.encoded("x".repeat(255)));
        assertTrue(TextPath.encoded("x".repeat(256)).startsWith("x".repeat(180) + "%-"));
    }

    @Test
    void aTextWithNul_isNoPathAndNoFault() throws KernelTrouble {
        assertEquals(Optional.empty(), TextPath.of("/a\0b"));
        assertEquals(Path.of("/a b"), TextPath.require("it", "/a b"));
        KernelTrouble trouble = assertThrows(KernelTrouble.class, () -> TextPath.require("its root", "/a\0b"));
        assertEquals(Effect.NONE, trouble.effect());
        assertTrue(trouble.reason().startsWith("its root is no path: it is \"/a\\u0000b\""));
        assertFalse(trouble.reason().contains("\0"));
    }
}

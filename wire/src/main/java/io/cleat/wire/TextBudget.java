package io.cleat.wire;

import io.cleat.base.VisibleText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Room for the texts of one thing that a node says, in characters. What is put into it is made visible and cut; once it
 * is full, texts lose everything but their length, and maps and lists their further entries. What came out of a room
 * comes out of a second one as it is.
 */
final class TextBudget {
    /** Characters of one thing. A decision has at most 1 MiB, and a character at most 3 bytes of UTF-8. */
    static final int CHARS = 200_000;

    /** What an entry of a map or a list costs beside its texts: its names and numbers. */
    private static final int ENTRY = 64;

    /** What a cut text may have more: the words that say how long it was. */
    private static final int CUT_WORDS = 32;

    private int left;

    TextBudget(int chars) {
        this.left = chars;
    }

    /** Characters that are taken out of {@link #CHARS}; more than those if it is overfull. */
    int used() {
        return CHARS - left;
    }

    /** One line of at most {@code most} characters. */
    String line(String text, int most) {
        return put(text, most, false);
    }

    /** Lines of at most {@code most} characters together. */
    String words(String text, int most) {
        return put(text, most, true);
    }

    /** The first {@code most} entries by name, as lines. */
    Map<String, String> lines(Map<String, String> map, int most, int longest) {
        return each(map, most, longest, value -> line(value, longest));
    }

    /** The first {@code most} entries by name: the order does not depend on the process. */
    <V> Map<String, V> each(Map<String, V> map, int most, int longestName, UnaryOperator<V> clean) {
        Map<String, V> kept = new TreeMap<>();
        for (Map.Entry<String, V> entry : new TreeMap<>(map).entrySet()) {
            if (kept.size() >= most || left <= 0) {
                break;
            }
            left -= ENTRY;
            kept.put(line(entry.getKey(), longestName), clean.apply(entry.getValue()));
        }
        return kept;
    }

    /** The first {@code most} elements. */
    <V> List<V> first(List<V> list, int most, UnaryOperator<V> clean) {
        List<V> kept = new ArrayList<>();
        for (V element : list) {
            if (kept.size() >= most || left <= 0) {
                break;
            }
            left -= ENTRY;
            kept.add(clean.apply(element));
        }
        return kept;
    }

    /** The last {@code most} elements, in their order. */
    <V> List<V> newest(List<V> list, int most, UnaryOperator<V> clean) {
        List<V> kept = first(list.reversed(), most, clean);
        Collections.reverse(kept);
        return kept;
    }

    private String put(String text, int most, boolean severalLines) {
        int fits = Math.max(0, Math.min(most, left));
        String shown = shown(shown(text, fits, severalLines), fits, severalLines);
        left -= shown.length();
        return shown;
    }

    private static String shown(String text, int most, boolean severalLines) {
        if (text.length() > most + CUT_WORDS) {
            return severalLines ? VisibleText.cutLines(text, most) : VisibleText.cut(text, most);
        }
        return severalLines ? VisibleText.lines(text) : VisibleText.line(text);
    }
}

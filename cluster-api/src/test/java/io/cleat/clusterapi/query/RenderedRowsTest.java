package io.cleat.clusterapi.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Json;
import io.cleat.api.Rows;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What lists show of rows is made once, and anew where it shows something else. */
final class RenderedRowsTest {
    record Row(String name) {}

    record Shown(String Name, int Users) {}

    private static final long MOST_BYTES = 8 << 20;

    private final RenderedRows<String, Row, Integer> rendered = RenderedRows.onceReadAgain(MOST_BYTES);
    private final List<String> made = new ArrayList<>();

    private Object written(Row row, int users) {
        return rendered.of(row.name(), row, users, () -> {
            made.add(row.name() + users);
            return new Shown("ü" + row.name(), users);
        });
    }

    private static String json(Object written) {
        Rows<Object> rows = Rows.of(Stream::empty, () -> Stream.of(written, written));
        return new String(Json.write(rows), StandardCharsets.UTF_8);
    }

    @Test
    void aRow_isMadeNoMoreOnceItIsReadAgain_andAnewWhereItOrWhatIsBesideItIsAnother() {
        Row a = new Row("a");
        String one = "{\"Name\":\"üa\",\"Users\":1}";
        assertEquals("[" + one + "," + one + "]", json(written(a, 1)));
        assertEquals("[" + one + "," + one + "]", json(written(a, 1)));
        written(a, 1);
        assertEquals(List.of("a1", "a1"), made);
        assertEquals(one.replace('1', '2'), text(Json.write(written(a, 2))));
        written(new Row("a"), 2);
        assertEquals(List.of("a1", "a1", "a2", "a2"), made);
    }

    @Test
    void aRowThatIsLikelyToBeReadAgain_isMadeOnce() {
        RenderedRows<String, Row, Integer> ofList = RenderedRows.atOnce(MOST_BYTES);
        Row a = new Row("a");
        for (int reading = 0; reading < 3; reading++) {
            ofList.of("a", a, 1, () -> {
                made.add("a");
                return new Shown("a", 1);
            });
        }
        assertEquals(List.of("a"), made);
    }

    @Test
    void whoGoesOnceOverAll_leavesWhatIsReadAgain() {
        Row a = new Row("a");
        written(a, 1);
        written(a, 1);
        long before = rendered.bytes();
        for (int row = 0; row < 100_000; row++) {
            written(new Row("x".repeat(900) + row), 1);
        }
        made.clear();
        written(a, 1);
        assertEquals(List.of(), made);
        assertEquals(before, rendered.bytes());
    }

    @Test
    void asTreeOrIndented_itIsTheSame() {
        Row a = new Row("a");
        written(a, 1);
        Object written = written(a, 1);
        assertEquals("{\"Name\":\"üa\",\"Users\":1}", Json.toTree(written).toString());
        assertEquals("{\n    \"Name\": \"üa\",\n    \"Users\": 1\n}\n", text(Json.writePretty(written)));
        assertEquals("{\"Name\":\"üa\",\"Users\":1}", Json.text(written));
    }

    @Test
    void whatIsKept_hasABound() {
        long most = 0;
        for (int row = 0; row < 15_000; row++) {
            Row each = new Row("x".repeat(900) + row);
            written(each, 1);
            written(each, 1);
            most = Math.max(most, rendered.bytes());
        }
        assertTrue(most > MOST_BYTES / 2, "kept " + most);
        assertTrue(most <= MOST_BYTES, "kept " + most);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}

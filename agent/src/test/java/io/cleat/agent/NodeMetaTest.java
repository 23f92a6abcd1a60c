package io.cleat.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Refused;
import io.cleat.testkit.History;
import io.cleat.testkit.HostileFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What jobs may ask for of a node, said while it runs. */
class NodeMetaTest {
    private static final Map<String, String> STARTED = Map.of("zone", "a", "owner", "team");

    @TempDir
    Path directory = Path.of("");

    private final AtomicInteger changes = new AtomicInteger();

    private NodeMeta open() throws DiskTrouble {
        return NodeMeta.at(directory.resolve("meta"), STARTED, changes::incrementAndGet);
    }

    private static Map<String, @Nullable String> saying(String key, @Nullable String value) {
        Map<String, @Nullable String> map = new HashMap<>();
        map.put(key, value);
        return map;
    }

    @Test
    void whatIsSaid_countsOverWhatItWasStartedWith_alsoAfterARestart() throws Exception {
        NodeMeta meta = open();
        meta.change(saying("rack", "r7"));
        meta.change(saying("zone", "b"));
        meta.change(saying("owner", null));
        Map<String, String> expected = Map.of("rack", "r7", "zone", "b");
        assertEquals(expected, meta.get());
        assertEquals(3, changes.get());
        NodeMeta again = open();
        assertEquals(expected, again.get());
        assertEquals(STARTED, again.started());
        Map<String, @Nullable String> said = saying("owner", null);
        said.putAll(expected);
        assertEquals(said, again.said());
    }

    @Test
    void whatIsTakenAway_isForgotten_andWhatItWasStartedWithComesBackWhenItIsSaid() throws Exception {
        NodeMeta meta = open();
        meta.change(saying("rack", "r7"));
        meta.change(saying("rack", null));
        assertEquals(Map.of(), meta.said());
        meta.change(saying("owner", null));
        meta.change(saying("owner", "team"));
        assertEquals(STARTED, meta.get());
    }

    @Test
    void whatIsNone_isRefused_allOfItAtOnce_andNothingIsChanged() throws Exception {
        NodeMeta meta = open();
        Map<String, @Nullable String> more = saying("a b", "1");
        more.put("two", "x\ny");
        more.put("three", "x".repeat(4_097));
        more.put("good", "1");
        Refused refused = assertThrows(Refused.class, () -> meta.change(more));
        String words = refused.refusal().message();
        assertTrue(words.contains("metadata key \"a b\""), words);
        assertTrue(words.contains("\"two\" has control characters"), words);
        assertTrue(words.contains("\"three\" has 4,097 characters"), words);
        assertEquals(STARTED, meta.get());
        assertEquals(0, changes.get());
    }

    @Test
    void moreKeysThanAReportHolds_areRefused() throws Exception {
        NodeMeta meta = open();
        Map<String, @Nullable String> many = new HashMap<>();
        for (int i = 0; i < 256; i++) {
            many.put("k" + i, "v");
        }
        meta.change(many);
        assertThrows(Refused.class, () -> meta.change(saying("more", "v")));
        meta.change(saying("k0", null));
        meta.change(saying("more", "v"));
    }

    @Test
    void moreThanOneEntryOfTheLogShouldHold_isRefused() throws Exception {
        NodeMeta meta = open();
        for (int i = 0; i < 8; i++) {
            meta.change(saying("k" + i, "x".repeat(4_000)));
        }
        Refused refused = assertThrows(Refused.class, () -> meta.change(saying("k8", "x".repeat(4_000))));
        assertTrue(
                refused.refusal().message().contains("at most 32,768 are kept"),
                refused.refusal().message());
    }

    @Test
    void theFileOfVersion1IsRead() throws IOException, DiskTrouble, Refused {
        NodeMeta.Stored one = new NodeMeta.Stored(Map.of("rack", "r7"), List.of("owner"));
        byte[] now = NodeMeta.FORMAT.encodeForFile(one);
        assertEquals(one, NodeMeta.FORMAT.decode(new History("agent").sample("nmet-1", now)));
    }

    @Test
    void hostileValuesAreReadBack_andDamageIsTrouble() throws Exception {
        HostileFormat.assertReadsBack(NodeMeta.FORMAT, NodeMeta.Stored.class, 300);
        HostileFormat.assertDamageIsTrouble(NodeMeta.FORMAT, NodeMeta.Stored.class, 300);
    }

    @Test
    void aFileThatCannotBeRead_keepsTheNodeFromStarting() throws IOException {
        Files.write(directory.resolve("meta"), "x".getBytes(StandardCharsets.UTF_8));
        DiskTrouble trouble = assertThrows(DiskTrouble.class, this::open);
        assertTrue(trouble.reason().contains("cleat node meta apply"), trouble.reason());
    }
}

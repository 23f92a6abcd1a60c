package io.cleat.agent.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.TestTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RenderedFileTest {
    @TempDir
    Path root;

    /** A job may have any number of templates, each of megabytes, for as long as it runs. */
    @Test
    void text_givenUpForAShortHeap_isRenderedAgainAndToldFromAnother() throws Exception {
        Files.createDirectories(root.resolve("t/local"));
        TestTime time = new TestTime();
        RenderedFile file = new RenderedFile(
                Templates.of("local/out", "{{ env \"E\" }}{{ file \"local/in\" }}"),
                new TaskPlaces(root, "t"),
                new PlainFiles(),
                time,
                new RenderingBudget(time));
        TemplateInput input = new TemplateInput(Map.of("E", "1"), path -> path);
        Path in = root.resolve("t/local/in");
        Path out = root.resolve("t/local/out");
        Files.writeString(in, "a");
        assertEquals(Optional.empty(), file.write(input, false));

        file.giveUpText();
        Files.delete(out);
        assertTrue(file.isRendered());
        assertEquals(Optional.empty(), file.write(input, false));
        assertEquals("1a", Files.readString(out));

        file.giveUpText();
        Files.writeString(in, "bb");
        assertTrue(file.refresh(input));
        assertEquals("1bb", Files.readString(out));
        assertFalse(file.refresh(input));
    }
}

package io.cleat.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.LinkTrouble;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

class WholeBodyTest {
    private static InputStream body(int length) {
        return new ByteArrayInputStream(new byte[length]);
    }

    @Test
    void anAnswerThatThereIsNoMemoryForIsTroubleThatSaysWhatToAskFor() throws Exception {
        assertEquals(100, WholeBody.read(body(100), 100, "GET /v1/volumes").length);
        assertEquals(0, WholeBody.read(body(0), 100, "GET /v1/volumes").length);
        LinkTrouble trouble = assertThrows(LinkTrouble.class, () -> WholeBody.read(body(101), 100, "GET /v1/volumes"));
        assertTrue(
                trouble.reason().startsWith("the answer to GET /v1/volumes is longer than 100 bytes"),
                trouble.reason());
    }
}

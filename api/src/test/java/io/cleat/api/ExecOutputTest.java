package io.cleat.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class ExecOutputTest {
    @Test
    void whatIsWrittenAtOnceIsTheJsonOfTheRecord() {
        Random random = new Random(7);
        for (int length = 0; length < 300; length++) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            assertArrayEquals(Json.write(ExecOutput.out(bytes)), ExecOutput.outJson(bytes));
            assertArrayEquals(Json.write(ExecOutput.error(bytes)), ExecOutput.errorJson(bytes));
        }
    }
}

package io.cleat.agent.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Refused;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TaskPlacesTest {
    private static final TaskPlaces PLACES = new TaskPlaces(Path.of("/data/alloc/id"), "web");

    @ParameterizedTest
    @CsvSource({
        "local/a, web/local/a",
        "/local/a, web/local/a",
        "./local//b/../a, web/local/a",
        "secrets/a, web/secrets/a",
        "/alloc/a, alloc/a",
        "alloc/data/a, alloc/data/a",
        "../alloc/a, alloc/a",
        "/data/alloc/id/alloc/a, alloc/a",
        "/data/alloc/id/web/local/a, web/local/a",
        "/etc/passwd, web/etc/passwd",
    })
    void aPathIsBelowTheTaskOrShared(String path, String below) throws Refused {
        assertEquals(below, PLACES.of(path).below());
        assertEquals(Path.of("/data/alloc/id"), PLACES.of(path).root());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                ".",
                "..",
                "../a",
                "../other/local/a",
                "../../id2/web/a",
                "/alloc/..",
                "/alloc/../other/a",
                "/data/alloc/id/other/a",
                "/data/alloc/id/../x/y"
            })
    void nothingElseCanBeNamed(String path) {
        Refused refused = assertThrows(Refused.class, () -> PLACES.of(path));
        assertTrue(refused.refusal().message().contains("is no file of the task's"));
    }
}

package io.cleat.jobspec.hcl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a variable makes of the value that is given for it. */
final class TypeTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "string|7|\"7\"",
                "number|1.50|1.5",
                "bool|true|true",
                "any|7|\"7\"",
                "list(string)|[1, true]|[\"1\",\"true\"]",
                "list(number)|[\"1\", null]|[1,null]",
                "set(number)|[3, 1, 3]|[1,3]",
                "map(string)|{ a = 1 }|{\"a\":\"1\"}",
                "tuple([string, number])|[1, \"2\"]|[\"1\",2]",
                "object({ a = string, b = optional(number, 5) })|{ a = 1, c = 2 }|{\"a\":\"1\",\"b\":5}",
                "object({ a = optional(list(string)) })|{}|{\"a\":null}",
                "list(object({ n = number }))|[{ n = \"1\" }]|[{\"n\":1}]",
            })
    void aValueBecomesTheType(String type, String given, String json) throws Misuse {
        Faults faults = new Faults();
        LiveBody body = read(type, given, faults);
        assertTrue(faults.isEmpty(), () -> FaultText.plain().render(faults.sorted()));
        LiveBody.LiveAttribute value = Objects.requireNonNull(body.attributes().get("a"));
        assertEquals(json, JsonText.of(value.value()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "number|x|var.v is of type number. Expected a number, given a string.",
                "bool|yes|var.v is of type bool. Expected true or false, given another string.",
                "list(number)|[1, \"x\"]|var.v is of type list(number). [1]: Expected a number, given a string.",
                "list(number)|7|var.v is of type list(number). Expected list(number), given a number.",
                "map(number)|{ a = [] }|var.v is of type map(number). [\"a\"]: Expected a number, given a list.",
                "tuple([string])|[]|var.v is of type tuple([string]). Expected 1 elements, given 0.",
                "object({ a = string })|{}|var.v is of type object({a = string}). The attribute \"a\" is missing; "
                        + "expected object({a = string}).",
            })
    void anotherValueIsRefused(String type, String given, String detail) {
        Faults faults = new Faults();
        read(type, given, faults);
        assertEquals(detail, faults.sorted().getFirst().detail());
    }

    private static LiveBody read(String type, String given, Faults faults) {
        Source file = Source.of("f.hcl", "variable \"v\" { type = " + type + " }\na = var.v\n");
        Variables values = Variables.none().withFlag("v", given);
        return HclFile.read(file, values, FixedRuntime.runtime(), faults);
    }
}

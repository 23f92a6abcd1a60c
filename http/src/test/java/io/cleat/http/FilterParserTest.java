package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Json;
import io.cleat.base.Refused;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class FilterParserTest {
    private static final String OBJECT =
            """
            {"ID":"web","Count":3,"Ratio":1.5,"On":true,"Empty":"","Nothing":null,
            "Tags":["a","b"],"None":[],"Meta":{"team.a":"x","k":"v"},
            "Groups":[{"Name":"g"}]}""";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "ID == web | true",
                "ID == \"web\" | true",
                "ID == `web` | true",
                "ID != web | false",
                "Count == 3 | true",
                "Count == 3.0 | true",
                "Ratio == 1.5 | true",
                "Count == three | false",
                "On == true | true",
                "Meta.k == v | true",
                "Meta[\"team.a\"] == x | true",
                "\"/Meta/k\" == v | true",
                "Groups.0.Name == g | true",
                "Missing == x | false",
                "Missing != x | true",
                "a in Tags | true",
                "\"c\" in Tags | false",
                "c not in Tags | true",
                "Tags contains b | true",
                "Tags not contains b | false",
                "ID contains e | true",
                "Meta contains k | true",
                "ID matches \"^w.b$\" | true",
                "ID not matches \"^w\" | false",
                "Empty is empty | true",
                "None is empty | true",
                "Nothing is empty | true",
                "Tags is not empty | true",
                "ID == web and Count == 4 | false",
                "ID == web or Count == 4 | true",
                "ID == x or ID == web and Count == 3 | true",
                "(ID == x or ID == web) and Count == 4 | false",
                "not ID == x | true",
                "not (ID == web and Count == 3) | false",
                "not not ID == web | true",
            })
    void anExpressionAsksAnObject(String expression, boolean expected) throws Refused {
        JsonNode object = Json.read(OBJECT, JsonNode.class);
        assertEquals(expected, FilterParser.parse(expression).matches(() -> object));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ID",
                "ID ==",
                "ID = x",
                "ID == x y",
                "(ID == x",
                "ID == \"x",
                "== x",
                "ID is x",
                "ID not x",
                "ID matches \"(\"",
                "Meta[k] == v",
                "ID == x and",
                "ID & x",
                "a in",
            })
    void whatIsNoExpressionIsRefusedWithItsColumn(String expression) {
        Refused refused = assertThrows(Refused.class, () -> FilterParser.parse(expression));
        String message = refused.refusal().message();
        assertTrue(
                message.matches(
                        "failed to create result paginator: failed to read filter expression:"
                                + " 1:\\d+: .+"),
                message);
    }
}

package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Evaluation;
import io.cleat.api.Json;
import io.cleat.base.Refused;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class FilterParserTest {
    private static final String OBJECT = """
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
                "Missing == \"\" | true",
                "Missing == 0 | true",
                "Missing == false | true",
                "Missing matches \"^$\" | true",
                "Nothing is nil | true",
                "Missing is nil | true",
                "ID is not nil | true",
                "any Tags as t { t == b } | true",
                "all Tags as t { t == b } | false",
                "all Tags as i, t { i == 5 or t != c } | true",
                "any Groups as g { g.Name == g } | true",
                "any Groups as g { g.Name == x or Count == 3 } | true",
                "any Meta as k { k == k } | true",
                "any Meta as k, v { k == \"team.a\" and v == x } | true",
                "all None as n { n == x } | true",
                "any None as n { n == x } | false",
                "any Groups as g { any Tags as t { t == z or g.Name == g } } | true",
                "not any Tags as t { t == z } | true",
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
                "any Tags as { t == x }",
                "any Tags as t t == x",
                "any Tags as t { t == x",
            })
    void whatIsNoExpressionIsRefusedWithItsColumn(String expression) {
        Refused refused = assertThrows(Refused.class, () -> FilterParser.parse(expression));
        String message = refused.refusal().message();
        assertTrue(
                message.matches("failed to create result paginator: failed to read filter expression: 1:\\d+: .+"),
                message);
    }

    /** Each element of a list is compared as often as there are comparisons inside. */
    @Test
    void comparisonsOfEachElement_areCountedAsWorkOfTheList() throws Refused {
        String inside = "t == x or ".repeat(FilterParser.TERMS - 2) + "t == x";
        Filter filter = FilterParser.parse("any Tags as t { " + inside + " }");
        Map<String, List<String>> object = Map.of("Tags", Collections.nCopies(1_000, "a"));
        FilterFault spent = assertThrows(FilterFault.class, () -> {
            for (int i = 0; i < 1_000; i++) {
                assertFalse(filter.matches(() -> object));
            }
        });
        assertTrue(
                spent.refusal().message().contains("per_page"), spent.refusal().message());
    }

    /** A list with such a filter was empty, as if nothing were like that. */
    @ParameterizedTest
    @ValueSource(
            strings = {"Statu == pending", "ID == x or ID.Part == x", "any Missing as m { m == x }", "x in Missing"})
    void fieldThatTheObjectsDoNotHave_isRefused(String expression) throws Refused {
        Filter filter = FilterParser.parse(expression);
        Evaluation object = Json.read("{}", Evaluation.class);
        FilterFault fault = assertThrows(FilterFault.class, () -> filter.matches(() -> object));
        assertTrue(
                fault.refusal().message().contains("is no field"),
                fault.refusal().message());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "FailedTGAllocs.any.NodesEvaluated == 1",
                "QueuedAllocations[\"g\"] == 1",
                "all FailedTGAllocs as name, f { f.whatever == x }"
            })
    void keysOfMapsAndWhatNamesStandFor_areNoFields(String expression) throws Refused {
        Evaluation object = Json.read("{}", Evaluation.class);
        FilterParser.parse(expression).matches(() -> object);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(([a-z]+)*)*!", "^(a|b)*!$"})
    void matching_expressionThatBacktracksForEver_isDecidedSoon(String expression) {
        Map<String, String> object = Map.of("ID", "ab".repeat(20_000));
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> assertFalse(
                        FilterParser.parse("ID matches \"" + expression + "\"").matches(() -> object)));
    }

    @Test
    void matching_manyLongTexts_isRefusedOnceTheWorkOfTheListIsUsedUp() throws Refused {
        Filter filter = FilterParser.parse("ID matches \"[a-q][^u-z]{900}x\"");
        Map<String, String> object = Map.of("ID", "ab".repeat(10_000));
        FilterFault spent = assertTimeoutPreemptively(
                Duration.ofSeconds(60),
                () -> assertThrows(FilterFault.class, () -> {
                    for (int i = 0; i < 10_000; i++) {
                        assertFalse(filter.matches(() -> object));
                    }
                }));
        assertTrue(
                spent.refusal().message().startsWith("filter: "),
                spent.refusal().message());
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "not "})
    void parsing_greatestDepth_isTakenOnAVirtualThread_andOneMoreIsRefused(String level) {
        CompletableFuture<Boolean> deepest = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                deepest.complete(
                        FilterParser.parse(deep(level, FilterParser.DEEPEST)).matches(() -> Map.of("ID", "a")));
            } catch (Throwable failed) {
                deepest.completeExceptionally(failed);
            }
        });
        assertTrue(deepest.join());
        Refused refused = assertThrows(Refused.class, () -> FilterParser.parse(deep(level, FilterParser.DEEPEST + 1)));
        assertTrue(
                refused.refusal().message().endsWith("it goes deeper than 100 levels"),
                refused.refusal().message());
    }

    private static String deep(String level, int times) {
        return level.repeat(times) + "ID == a" + (level.equals("(") ? ")".repeat(times) : "");
    }

    @Test
    void parsing_manyComparisons_areRefused() throws Refused {
        FilterParser.parse("ID == a or ".repeat(FilterParser.TERMS - 1) + "ID == a");
        assertThrows(Refused.class, () -> FilterParser.parse("ID == a or ".repeat(FilterParser.TERMS) + "ID == a"));
        assertThrows(Refused.class, () -> FilterParser.parse("a".repeat(5_000) + " == a"));
    }
}

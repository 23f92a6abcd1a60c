package io.cleat.agent.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.TestTime;
import io.cleat.base.Deadline;
import io.cleat.base.Refused;
import io.cleat.base.TemplateTrouble;
import io.cleat.base.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each function, by what it gives. */
@Timeout(60)
class FunctionsTest {
    private static final Map<String, String> ENV =
            Map.of("PORT", "8080", "LIST", "b,a", "NONE", "", "J", "{\"a\":[1,{\"b\":\"<c>\"}]}");

    private static String render(String template) throws Exception {
        return new Rendering(
                        Templates.of("local/out", template),
                        new TaskPlaces(Path.of("/nowhere"), "t"),
                        new PlainFiles(),
                        new TestTime(),
                        new TemplateInput(ENV, path -> path))
                .text()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            ignoreLeadingAndTrailingWhitespace = true,
            value = {
                "{{ env \"PORT\" }}{{ env \"no\" }}. ~ 8080.",
                "{{ envOrDefault \"no\" \"7\" }}{{ envOrDefault \"NONE\" \"7\" }} ~ 7",
                "{{ mustEnv \"PORT\" }} ~ 8080",
                "{{ env \"PORT\" | parseInt | add 1 }} ~ 8081",
                "{{ 5 | subtract 2 }} {{ 6 | divide 4 }} {{ 6 | modulo 4 }} ~ 3 1 2",
                "{{ multiply 2 3 }} {{ multiply 2 1.5 }} {{ 6.0 | divide 4 }} ~ 6 3 1.5",
                "{{ minimum 2 3 }} {{ maximum 2 3 }} ~ 2 3",
                "{{ \"1.5\" | parseFloat }} {{ parseBool \"t\" }} {{ parseUint \"7\" }} ~ 1.5 true 7",
                "{{ toUpper \"aB\" }}{{ toLower \"aB\" }}{{ toTitle \"a bc's\" }} ~ ABabA Bc's",
                "[{{ trimSpace \" a \" }}{{ trim \" a \" }}{{ \"xxaxx\" | trim \"x\" }}] ~ [aaa]",
                "{{ \"abc\" | trimPrefix \"a\" }} {{ \"abc\" | trimSuffix \"c\" }} ~ bc ab",
                "{{ \"a.b.c\" | replaceAll \".\" \"/\" }} ~ a/b/c",
                "{{ \"a1b22\" | regexReplaceAll \"[0-9]+\" \"<${0}>\" }} ~ a<1>b<22>",
                "{{ \"a1b\" | regexReplaceAll \"(a)(1)\" \"$2\\\\\" }} ~ 1\\b",
                "{{ \"foo\" | regexMatch \"^fo+$\" }} {{ regexMatch \"x\" \"foo\" }} ~ true false",
                "{{ range env \"LIST\" | split \",\" }}<{{ . }}>{{ end }} ~ <b><a>",
                "{{ env \"LIST\" | split \",\" | join \"+\" }} ~ b+a",
                "{{ \"a:1;b:2\" | splitToMap \";\" \":\" | toJSON }} ~ {\"a\":\"1\",\"b\":\"2\"}",
                "{{ \"a\" | indent 2 }} ~ a",
                "{{ range loop 3 }}{{ . }}{{ end }}{{ range loop 5 7 }}{{ . }}{{ end }} ~ 01256",
                "{{ $j := parseJSON (env \"J\") }}{{ (index $j.a 1).b }} ~ <c>",
                "{{ env \"J\" | parseJSON | toJSON }} ~ {\"a\":[1,{\"b\":\"\\u003cc\\u003e\"}]}",
                "{{ env \"J\" | parseJSON | toUnescapedJSON }} ~ {\"a\":[1,{\"b\":\"<c>\"}]}",
                "{{ base64Encode \"a>?\" }} {{ base64URLEncode \"a>?\" }} ~ YT4/ YT4_",
                "{{ base64Decode \"YT4/\" }} {{ base64URLDecode \"YT4_\" }} ~ a>? a>?",
                "{{ md5sum \"\" }} ~ d41d8cd98f00b204e9800998ecf8427e",
                "{{ sha256Hex \"a\" | printf \"%.8s\" }} ~ ca978112",
                "{{ hmacSHA256Hex \"a\" \"k\" | len }} ~ 64",
                "{{ contains \"a\" (env \"LIST\" | split \",\") }} {{ in \"abc\" \"b\" }} ~ true true",
                "{{ $l := split \",\" \"a,b\" }}{{ containsAll $l $l }}{{ containsNone $l $l }} ~ truefalse",
                "{{ $l := split \",\" \"a,c\" }}{{ containsAny $l (split \",\" \"a,b\") }} ~ true",
                "{{ $l := split \",\" \"a,c\" }}{{ containsNotAll $l (split \",\" \"a,b\") }} ~ true",
                "{{ env \"no\" | default \"x\" }}{{ \"y\" | default \"x\" }} ~ xy",
                "{{ timestamp }} ~ 2027-01-15T08:00:00Z",
                "{{ timestamp \"Mon, 2 Jan 06 at 15h04 MST\" }} ~ Fri, 15 Jan 27 at 08h00 UTC",
                "{{ timestamp \"unix\" }} ~ 1800000000",
                "{{ if env \"PORT\" }}p{{ end }}{{ with env \"no\" }}n{{ else }}e{{ end }} ~ pe",
            })
    void itGives(String template, String text) throws Exception {
        assertEquals(text, render(template).strip());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "a\u0001b{{ key \"k\" }} ~ local/out:2:5: key: it asks Consul's keys",
                "{{ with secret \"s\" }}{{ end }} ~ it asks Vault, and Cleat has no Vault; keep",
                "{{ nomadVar \"v\" }} ~ a task may not read the variable \"v\"",
                "{{ plugin \"v\" }} ~ it would run a program of the host",
                "{{ toYAML 1 }} ~ use toJSON",
                "{{ envv \"A\" }} ~ local/out:1:4: ",
                "{{ mustEnv \"no\" }} ~ the task's environment has no \"no\"",
                "{{ env }} ~ it is called as {{ env name }}; given 0 arguments",
                "{{ parseInt \"a\" }} ~ \"a\" is not a whole number",
                "{{ 1 | divide 0 }} ~ a division by zero",
                "{{ multiply 9223372036854775807 2 }} ~ more than 64 bits",
                "{{ add \"1\" 2 }} ~ argument 1 is not a number; a text becomes one by parseInt",
                "{{ loop 2000000 }} ~ it would go around 2000000 times",
                "{{ regexMatch \"(\" \"a\" }} ~ error parsing regexp: missing closing ): `(`",
                "{{ regexMatch \"(a)\\\\1\" \"a\" }} ~ error parsing regexp: invalid escape sequence: `\\1`",
                "{{ regexMatch \"((a{1000}){1000}){1000}\" \"a\" }} ~ expression too large",
                "{{ parseJSON \"{\" }} ~ this is not JSON",
                "{{ base64Decode \"*\" }} ~ this is not base64",
                "{{ if }} ~ local/out:1:",
                "{{ file \"../../etc/passwd\" }} ~ is no file of the task's: name one in local/",
                "{{ file \"/nowhere/other/local/a\" }} ~ is no file of the task's",
            })
    void itIsRefusedWithThePlaceAndWhatToDo(String template, String why) {
        TemplateTrouble trouble = assertThrows(TemplateTrouble.class, () -> render(template.replace('\u0001', '\n')));
        assertTrue(trouble.reason().startsWith("Template failed: template: "), trouble.reason());
        assertTrue(trouble.reason().contains(why), trouble.reason());
    }

    /** Each would take the stack, the heap or a processor for ever. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ range loop 1000000 }}{{ range loop 1000000 }}{{ end }}{{ end }}",
                "{{ range 4000000 }}{{ range 4000000 }}{{ end }}{{ end }}",
                "{{ range 4000000 }}{{ $x := loop 100 }}{{ end }}",
                "{{ loop -9223372036854775808 9223372036854775807 }}",
                "{{ printf \"%1000000000d\" 1 }}{{ range 100 }}{{ printf \"%1000000d\" 1 }}{{ end }}",
                "{{ range 100 }}{{ $x := printf \"%.1000000f\" 0.1 }}{{ end }}",
                "{{ range 100 }}{{ $x := printf \"%.1000000e\" 0.1 }}{{ end }}",
                "{{ range 100 }}{{ $x := printf \"%.1000000d\" 1 }}{{ end }}",
                "{{ $x := \"ab\" }}{{ range 60 }}{{ $x = print $x $x }}{{ end }}",
                "{{ $x := \"ab\" }}{{ range 60 }}{{ $x = printf \"%s%s\" $x $x }}{{ end }}",
                "{{ $x := \"a\" }}{{ range 60 }}{{ $x = replaceAll \"a\" \"aa\" $x }}{{ end }}",
                "{{ $x := \"a\" }}{{ range 60 }}{{ $x = regexReplaceAll \"a\" \"aa\" $x }}{{ end }}",
                "{{ $x := \"a\" }}{{ range 90 }}{{ $x = base64Encode $x }}{{ end }}",
                "{{ $x := \"<\" }}{{ range 90 }}{{ $x = html (print $x $x) }}{{ end }}",
                "{{ $x := \"<\" }}{{ range 90 }}{{ $x = js $x }}{{ end }}",
                "{{ $x := \"%\" }}{{ range 90 }}{{ $x = urlquery (print $x $x) }}{{ end }}",
                "{{ $x := \"<\" }}{{ range 90 }}{{ $x = toJSON $x }}{{ end }}",
                "{{ $x := \"a\" }}{{ range 90 }}{{ $x = printf \"%q%x\" $x $x }}{{ end }}",
                "{{ $l := loop 100000 }}{{ range 60 }}{{ $x := join \"-------------------\" $l }}{{ end }}",
                "{{ $x := printf \"%1000000d\" 1 }}{{ range 90 }}{{ $y := split \"\" $x }}{{ end }}",
                "{{ $x := printf \"%1000000d\" 1 }}{{ range 90 }}{{ $y := split \" \" $x }}{{ end }}",
                "{{ $x := printf \"%1000000d\" 1 }}{{ splitToMap \" \" \"=\" $x }}",
                "{{ $l := loop 100000 }}{{ containsAll $l $l }}",
                "{{ $x := printf \"%01000000d\" 1 }}{{ $y := printf \"%0500000d\" 2 }}{{ in $x $y }}",
                "{{ $x := printf \"%01000000d\" 1 }}{{ $y := printf \"%0500000d\" 2 }}{{ replaceAll $y \"\" $x }}",
                "{{ $x := printf \"%01000000d\" 1 }}{{ regexMatch \"(([0-9]+)*)*!\" $x }}{{ regexMatch "
                        + "\"[0-1][^u-z]{900}x\" $x }}",
                "{{ $x := printf \"%0100000d\" 1 }}{{ regexReplaceAll \".*[^0-9]|[0-9]\" \"x\" $x }}",
                "{{ $x := \"\\n\" }}{{ range 30 }}{{ $x = indent 1000 $x }}{{ $x = print $x $x }}{{ end }}",
                "{{ define \"a\" }}{{ template \"a\" }}{{ end }}{{ template \"a\" }}",
                "{{ define \"a\" }}{{ range 9 }}{{ template \"b\" }}{{ end }}{{ end }}{{ define \"b\" }}{{ range 9 "
                        + "}}{{ template \"a\" }}{{ end }}{{ end }}{{ template \"a\" }}",
                "{{ range 5000000 }}{{ end }}",
                "{{ timestamp (printf \"%01000d\" 1) }}",
            })
    void rendering_thatWouldTakeAllThereIs_isRefusedSoonWithItsPlace(String template) {
        TemplateTrouble trouble = assertTimeoutPreemptively(
                Duration.ofSeconds(30), () -> assertThrows(TemplateTrouble.class, () -> render(template)));
        assertTrue(trouble.reason().startsWith("Template failed: template: local/out:1:"), trouble.reason());
        assertTrue(trouble.reason().length() < 2_500, trouble.reason());
    }

    @Test
    void messages_quoteNoWholeFile() {
        String template = "{{ parseInt (printf \"%1000000d\" 1) }}";
        TemplateTrouble trouble = assertThrows(TemplateTrouble.class, () -> render(template));
        assertTrue(trouble.reason().length() < 2_500);
    }

    @Test
    void json_deeperOrLongerThanAllowed_isRefused() {
        for (String json : List.of(
                "[".repeat(101) + "]".repeat(101),
                "[" + "9".repeat(200) + "]",
                "[" + "[],".repeat(500_000) + "0]",
                "[" + "{},".repeat(500_000) + "0]",
                "[" + "0,".repeat(500_000) + "0]")) {
            String template = "{{ parseJSON `" + json + "` }}";
            assertTimeoutPreemptively(
                    Duration.ofSeconds(20), () -> assertThrows(TemplateTrouble.class, () -> render(template)));
        }
    }

    @Test
    void timestamp_partsBesideEachOther_areTakenOneByOne() throws Exception {
        assertEquals("010101", render("{{ timestamp \"010101\" }}"));
        assertEquals("151515 111", render("{{ timestamp \"020202 111\" }}"));
        assertEquals("AMAM", render("{{ timestamp \"PMPM\" }}"));
    }

    @Test
    void env_ofManyLines_isRefused() {
        assertThrows(Refused.class, () -> EnvLines.parse("a=\n".repeat(100_000)));
    }

    @Test
    void room_thirdRendering_waitsUntilOneIsDone() throws Exception {
        CompletableFuture<Void> isWaiting = new CompletableFuture<>();
        CompletableFuture<Void> isFree = new CompletableFuture<>();
        RenderingBudget budget = new RenderingBudget(new Time() {
            @Override
            public Instant now() {
                return Instant.EPOCH;
            }

            @Override
            public long nanos() {
                return 0;
            }

            @Override
            public void sleep(Duration duration) {
                isWaiting.complete(null);
                isFree.join();
            }

            @Override
            public boolean await(Condition condition, Deadline deadline) {
                throw new IllegalStateException("nobody waits so");
            }
        });
        for (int i = 0; i < RenderingBudget.PLACES; i++) {
            budget.enter();
        }
        CompletableFuture<Void> third = CompletableFuture.runAsync(() -> {
            try {
                budget.enter();
            } catch (InterruptedException end) {
                throw new IllegalStateException(end);
            }
        });
        isWaiting.join();
        assertFalse(third.isDone());
        budget.leave();
        isFree.complete(null);
        third.join();
    }
}

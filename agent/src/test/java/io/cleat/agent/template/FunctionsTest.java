package io.cleat.agent.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.TestTime;
import io.cleat.base.TemplateTrouble;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
                "{{ nomadVar \"v\" }} ~ it asks Nomad's variables",
                "{{ nomadService \"v\" }} ~ it asks Nomad's services",
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
                "{{ regexMatch \"(\" \"a\" }} ~ is no expression",
                "{{ regexReplaceAll \"a\" \"$7\" \"a\" }} ~ \"$7\": No group 7",
                "{{ parseJSON \"{\" }} ~ this is not JSON",
                "{{ base64Decode \"*\" }} ~ this is not base64",
                "{{ if }} ~ local/out:1:",
                "{{ file \"../../etc/passwd\" }} ~ is no file of the task's: name one in local/",
                "{{ file \"/nowhere/other/local/a\" }} ~ is no file of the task's",
            })
    void itIsRefusedWithThePlaceAndWhatToDo(String template, String why) {
        TemplateTrouble trouble =
                assertThrows(TemplateTrouble.class, () -> render(template.replace('\u0001', '\n')));
        assertTrue(trouble.reason().startsWith("Template failed: template: "), trouble.reason());
        assertTrue(trouble.reason().contains(why), trouble.reason());
    }

    /** Such an expression keeps a processor busy for longer than anybody lives. */
    @Test
    void anExpressionThatNeverEndsIsGivenUp() {
        String template = "{{ regexMatch `^(a+)+\\1!$` \"" + "a".repeat(40) + "\" }}";
        TemplateTrouble trouble = assertThrows(TemplateTrouble.class, () -> render(template));
        assertTrue(trouble.reason().contains("takes too long"), trouble.reason());
    }
}

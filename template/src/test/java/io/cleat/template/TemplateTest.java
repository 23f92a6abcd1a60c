package io.cleat.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Meter;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The language, sentence by sentence; what Go's own templates print of the same. */
final class TemplateTest {
    private static final Map<String, Function> FUNCTIONS = Map.of(
            "upper",
            (given, meter) -> String.valueOf(given.getFirst()).toUpperCase(Locale.ROOT),
            "env",
            (given, meter) -> given.getFirst().equals("HOME") ? "/root" : "",
            "refuse",
            (given, meter) -> {
                throw new Refused(new Refusal.Invalid("never"));
            });

    private static Map<String, @Nullable Object> data() {
        Map<String, @Nullable Object> data = new TreeMap<>();
        data.put("Name", "web");
        data.put("Count", 3L);
        data.put("Share", 0.25);
        data.put("Big", 1e21);
        data.put("On", true);
        data.put("Off", false);
        data.put("Null", null);
        data.put("Empty", List.of());
        data.put("List", List.of("a", "b", "c"));
        data.put("Jobs", List.of(Map.of("ID", "x", "N", 1L), Map.of("ID", "y", "N", 2L)));
        data.put("Map", Map.of("k2", "v2", "k1", "v1"));
        data.put("Deep", Map.of("A", Map.of("B", "found")));
        return data;
    }

    /** In a row of a table a line ends with a sign of its own. */
    private static String lines(String text) {
        return text.replace('⏎', '\n');
    }

    private static String render(String template) throws Refused {
        return Template.parse("t", template, FUNCTIONS).render(data(), Template.Options.STRICT);
    }

    private static String refusal(String template) {
        Refused refused = assertThrows(Refused.class, () -> render(template), template);
        return refused.refusal().message();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '\u0001',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "plain~plain",
                "{{.Name}}~web",
                "{{ .Deep.A.B }}~found",
                "{{$.Name}}~web",
                "{{.Count}} {{.Share}} {{.Big}} {{.On}} {{.Null}}~3 0.25 1e+21 true <nil>",
                "{{.List}} {{.Map}} {{.Empty}}~[a b c] map[k1:v1 k2:v2] []",
                "{{(index .Jobs 1).ID}}~y",
                "a{{/* nothing */}}b~ab",
                "a {{- /* nothing */ -}} b~ab",
                "a  {{- .Count -}}  b~a3b",
                "{{.Count -}}  b~3b",
                "{{3}} {{-3}} {{0x10}} {{1.50}} {{'a'}} {{\"q\\n\" | printf \"%q\"}}~3 -3 16 1.5 97 \"q\\n\"",
                "{{if .On}}yes{{end}}{{if .Off}}no{{end}}~yes",
                "{{if .Off}}a{{else if .Empty}}b{{else if .On}}c{{else}}d{{end}}~c",
                "{{if not .Null}}none{{end}}~none",
                "{{with .Deep.A}}{{.B}} of {{$.Name}}{{end}}~found of web",
                "{{with .Empty}}x{{else}}none{{end}}~none",
                "{{with .Null}}x{{else with .Name}}{{.}}{{end}}~web",
                "{{range .List}}[{{.}}]{{end}}~[a][b][c]",
                "{{range .Empty}}x{{else}}none{{end}}~none",
                "{{range .Null}}x{{else}}none{{end}}~none",
                "{{range $i, $e := .List}}{{$i}}={{$e}} {{end}}~0=a 1=b 2=c ",
                "{{range $k, $v := .Map}}{{$k}}={{$v}} {{end}}~k1=v1 k2=v2 ",
                "{{range $e := .Jobs}}{{$e.ID}}{{.N}}{{end}}~x1y2",
                "{{range .Jobs}}{{range $.List}}{{.}}{{end}}{{.ID}} {{end}}~abcx abcy ",
                "{{range $i := 3}}{{$i}}{{end}}~012",
                "{{range .List}}{{if eq . \"b\"}}{{continue}}{{end}}{{.}}{{end}}~ac",
                "{{range .List}}{{if eq . \"b\"}}{{break}}{{end}}{{.}}{{end}}~a",
                "{{$x := 1}}{{range .List}}{{$x = len .}}{{end}}{{$x}}~1",
                "{{$x := 1}}{{if true}}{{$x := 2}}{{$x}}{{end}}{{$x}}~21",
                "{{if $n := .Name}}{{$n}}{{end}}~web",
                "{{define \"one\"}}<{{.}}>{{end}}{{template \"one\" .Name}}~<web>",
                "{{block \"b\" .Count}}[{{.}}]{{end}}{{template \"b\" 4}}~[3][4]",
                "{{.Name | upper}}~WEB",
                "{{.Name | printf \"%s-%d\" .Name | len}}~19",
                "{{printf \"%s-%d\" .Name .Count | upper}}~WEB-3",
                "{{env \"HOME\"}}~/root",
                "{{(printf \"%d\" .Count) | len}}~1",
                "{{and .On .Name}} {{and .Off refuse}} {{or .Null .Name}}~web false web",
                "{{or .Name refuse}}~web",
                "{{eq .Count 3}} {{eq .Name \"a\" \"web\"}} {{ne .Count 3}}~true true false",
                "{{eq .Count 3.0}} {{eq .Null nil}} {{eq .Name nil}}~true true false",
                "{{lt 1 2}} {{le 2 2}} {{gt 1 2}} {{ge \"b\" \"a\"}}~true true false true",
                "{{len .Name}} {{len .List}} {{len .Map}} {{len \"\u00e9\"}}~3 3 2 2",
                "{{index .List 1}} {{index .Map \"k1\"}} {{index .Jobs 0 \"ID\"}}~b v1 x",
                "{{index .Map \"none\"}}~<nil>",
                "{{slice .Name 1}} {{slice .Name 1 2}} {{slice .List 1 3}}~eb e [b c]",
                "{{print 1 2 \"a\" \"b\" 3 4}} {{println 1 \"a\"}}~1 2ab3 4 1 a⏎",
                "{{html \"<a href='x'>&\"}}~&lt;a href=&#39;x&#39;&gt;&amp;",
                "{{js \"it's <b>\"}}~it\\'s \\u003Cb\\u003E",
                "{{urlquery \"a b*c/d\"}}~a+b%2Ac%2Fd",
            })
    void itPrintsWhatGoPrints(String template, String expected) throws Exception {
        assertEquals(lines(expected), render(lines(template)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '\u0001',
            value = {
                "{{.Name~t:1:1: {{ without }}",
                "a⏎  {{nothing}}~t:2:5: function \"nothing\" is not defined; there are: and, env",
                "{{if .On}}x~t:1:3: {{if}} without {{end}}",
                "{{range .On}}{{else}}x~{{range}} without {{end}}",
                "x{{end}}~t:1:2: {{end}} ends nothing",
                "{{else}}~{{else}} ends nothing",
                "{{break}}~{{break}} outside of {{range}}",
                "{{$x}}~$x is not declared",
                "{{range .List}}{{$y := 1}}{{end}}{{$y}}~$y is not declared",
                "{{.Nothing}}~t:1:3: there is no field Nothing",
                "{{.Name.First}}~.First is asked of string",
                "{{.Name .Count}}~can't give an argument to what is no function",
                "{{.Name | .Count}}~can't give an argument to what is no function",
                "{{nil}}~nil is not a command",
                "{{}}~a value is missing",
                "{{.Name | }}~a value is missing",
                "{{refuse}}~t:1:3: refuse: never",
                "{{range .On}}{{end}}~range can't iterate over bool",
                "{{len 3}}~len: int has no length",
                "{{index .List 3}}~index: index 3 is out of range: the last is 2",
                "{{slice .Name 2 1}}~it begins after its end",
                "{{eq .Name 3}}~can't compare string with int",
                "{{eq .List .List}}~can't compare",
                "{{lt .On .Off}}~can't order bool and bool",
                "{{template \"none\"}}~template \"none\" is not defined",
                "{{define \"r\"}}{{template \"r\"}}{{end}}{{template \"r\"}}~deeper than 100",
                "{{\"\\z\"}}~\\z in",
                "{{99999999999999999999}}~is not a number of 64 bits",
                "{{.A ~{{ without }}",
                "{{1e999}}~is not a number of 64 bits",
                "{{?}}~\"?\" does not begin anything",
                "{{define \"a\"}}~{{define}} without {{end}}",
                "{{if true}}{{define \"a\"}}{{end}}{{end}}~{{define}} stands inside",
                "{{1.5.A}}~a constant has no fields",
                "{{print(1)}}~a space is missing before this",
            })
    void whatIsWrongIsSaidWithItsPlace(String template, String expected) {
        String message = refusal(lines(template));
        assertTrue(message.contains(expected), message);
        assertTrue(message.startsWith("template: t:"), message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '\u0001',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "%d~42~42",
                "%5d|~42~   42|",
                "%-5d|~42~42   |",
                "%05d~-42~-0042",
                "%+d~42~+42",
                "%x~255~ff",
                "%#X~255~0XFF",
                "%o~8~10",
                "%b~5~101",
                "%c~65~A",
                "%U~65~U+0041",
                "%q~65~'A'",
                "%v~42~42",
                "%s~42~%!s(int=42)",
                "%T~42~int",
                "%%~42~%%!(EXTRA int=42)",
                "%d %d~42~42 %!d(MISSING)",
                "%z~42~%!z(int=42)",
                "100%~42~100%!(NOVERB)%!(EXTRA int=42)",
            })
    void wholeNumbersInAFormat(String format, long value, String expected) {
        assertEquals(expected, printf(format, List.of(value)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '\u0001',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "%f~1.5~1.500000",
                "%.2f~2.345~2.35",
                "%8.2f|~2.5~    2.50|",
                "%08.2f~-2.5~-0002.50",
                "%.0f~2.5~2",
                "%e~1500.0~1.500000e+03",
                "%g~1500000.0~1.5e+06",
                "%g~150000.0~150000",
                "%.3g~1234.5~1.23e+03",
                "%.6g~1234.5~1234.5",
                "%.9g~1500000.0~1500000",
                "%v~1500000.0~1500000",
                "%v~123456789.0~123456789",
                "%v~0.00001~1e-05",
                "%v~5.0~5",
                "%d~1.5~%!d(float64=1.5)",
            })
    void fractionsInAFormat(String format, double value, String expected) {
        assertEquals(expected, printf(format, List.of(value)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '\u0001',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "%s~web~web",
                "%5s|~web~  web|",
                "%-5s|~web~web  |",
                "%.2s~web~we",
                "%q~a\"b~\"a\\\"b\"",
                "%#q~a~`a`",
                "%x~ab~6162",
                "%v~web~web",
                "%d~web~%!d(string=web)",
                "%t~web~%!t(string=web)",
            })
    void textsInAFormat(String format, String value, String expected) {
        assertEquals(expected, printf(format, List.of(value)));
    }

    @Test
    void otherValuesInAFormat() {
        List<@Nullable Object> nothing = new ArrayList<>();
        nothing.add(null);
        assertEquals("<nil>", printf("%v", nothing));
        assertEquals("%!s(<nil>)", printf("%s", nothing));
        assertEquals("true", printf("%t", List.of(true)));
        assertEquals("[1 2]", printf("%d", List.of(List.of(1L, 2L))));
        assertEquals("map[a:1]", printf("%v", List.of(Map.of("a", 1L))));
        assertEquals("[\"a\" \"b\"]", printf("%q", List.of(List.of("a", "b"))));
    }

    @Test
    void aMissingKeyMayBeNothing() throws Exception {
        Template template = Template.parse("t", "{{.A}}{{if .B}}x{{end}}", Map.of());
        Template.Options lenient = new Template.Options(Template.Missing.NOTHING, 100);
        assertEquals("<no value>", template.render(Map.of(), lenient));
    }

    @Test
    void whatItGivesIsBounded() throws Exception {
        Template template = Template.parse("t", "{{range 50}}0123456789{{end}}", Map.of());
        Template.Options small = new Template.Options(Template.Missing.REFUSED, 100);
        Refused refused = assertThrows(Refused.class, () -> template.render(null, small));
        assertTrue(refused.refusal().message().contains("more than 100 characters"));
        assertTrue(refusal("{{" + "(".repeat(5000) + "}}").contains("nested deeper"));
        assertTrue(refusal("{{if 1}}".repeat(5000)).contains("nested deeper"));
    }

    @Test
    void itIsRenderedAnyNumberOfTimes() throws Exception {
        Template template = Template.parse("t", "{{$x := .}}{{$x}}", Map.of());
        assertEquals("1", template.render(1L, Template.Options.STRICT));
        assertEquals("2", template.render(2L, Template.Options.STRICT));
        assertEquals(
                List.of("a", "b"),
                Template.parse("t", "{{define \"b\"}}{{end}}{{define \"a\"}}{{end}}", Map.of())
                        .names());
    }

    /** Whatever is written, it is rendered or refused. */
    @Test
    void noTemplateBreaksIt() {
        List<String> pieces = List.of(
                "{{",
                "}}",
                "{{-",
                "-}}",
                " ",
                "if ",
                "else",
                "end",
                "range ",
                "with ",
                ".",
                ".List",
                "$",
                "$x",
                ":=",
                "=",
                "|",
                "(",
                ")",
                "\"a\"",
                "`r`",
                "1",
                "-1",
                "'c'",
                "printf ",
                "\"%d\"",
                "index ",
                "and ",
                "define ",
                "break",
                "template ",
                "/*",
                "*/",
                ",",
                "\n",
                "x",
                "\\",
                "nil",
                "len ",
                "slice ");
        int rendered = 0;
        for (int seed = 0; seed < 20_000; seed++) {
            Random chance = new Random(seed);
            StringBuilder text = new StringBuilder(chance.nextBoolean() ? "{{" : "");
            for (int i = chance.nextInt(12); i >= 0; i--) {
                text.append(pieces.get(chance.nextInt(pieces.size())));
            }
            text.append(chance.nextBoolean() ? "}}" : "");
            try {
                render(text.toString());
                rendered++;
            } catch (Refused refused) {
                assertTrue(refused.refusal().message().startsWith("template: t:"));
            }
        }
        assertTrue(rendered > 500, "templates of chance were rendered: " + rendered);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "<< >> ~ a << .Name >> {{ b }} ~ a web {{ b }}",
                "[[ ]] ~ a  [[- /* no */ -]]  b[[ \"]]\" ]] ~ ab]]",
                "<% %> ~ <%- range .List -%> <% . %> <%- end -%> ~ abc",
            })
    void delimitersMayBeOthersThanBraces(String delimiters, String template, String text) throws Refused {
        String[] both = delimiters.split(" ", 2);
        Template.Delimiters given = new Template.Delimiters(both[0], both[1]);
        assertEquals(text, Template.parse("t", template, given, FUNCTIONS).render(data(), Template.Options.STRICT));
        Refused refused = assertThrows(Refused.class, () -> Template.parse("t", both[0] + " .Name", given, FUNCTIONS));
        assertEquals(
                "template: t:1:1: " + both[0] + " without " + both[1],
                refused.refusal().message());
    }

    private static String printf(String format, List<@Nullable Object> values) {
        Meter meter = new Meter(new Meter.Limits(100_000, 100_000, 100));
        try {
            return Printing.printf(format, values, meter);
        } catch (Refused refused) {
            throw new AssertionError(refused);
        }
    }
}

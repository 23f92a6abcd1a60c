package io.cleat.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Meter;
import io.cleat.base.Refused;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Long and deep templates, on virtual threads as in production. */
final class HostileTemplateTest {
    private static final int MILLION = 1_000_000;

    /** What it gives; or the refusal, behind a {@code !}. */
    private static String render(String text) {
        CompletableFuture<String> shown = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                Meter meter = new Meter(new Meter.Limits(5_000_000, 12 << 20, Template.DEEPEST));
                shown.complete(Template.parse("t", text, Template.Delimiters.BRACES, Map.of(), meter)
                        .render(true, Template.Options.STRICT, meter));
            } catch (Refused refused) {
                shown.complete("!" + refused.refusal().message());
            } catch (Throwable failed) {
                shown.completeExceptionally(failed);
            }
        });
        return assertTimeoutPreemptively(Duration.ofSeconds(30), shown::join);
    }

    /** An alternation that is repeated takes a frame of the stack for each character. */
    @Test
    void tokens_ofAMillionCharacters_leaveTheStackWhole() {
        assertEquals(MILLION + "", render("{{ len \"" + "a".repeat(MILLION) + "\" }}"));
        assertEquals(MILLION + "", render("{{ len \"" + "\\n".repeat(MILLION) + "\" }}"));
        assertEquals(MILLION + "", render("{{ len `" + "a".repeat(MILLION) + "` }}"));
        assertEquals("", render("{{/*" + "*".repeat(MILLION) + "*/}}"));
        assertTrue(render("{{ '" + "\\'".repeat(MILLION) + "' }}").startsWith("!"));
        assertTrue(render("{{ \"" + "\\\\".repeat(MILLION) + " }}").startsWith("!"));
        assertTrue(render("{{ " + "1".repeat(MILLION) + " }}").contains("at most 100 digits"));
        assertTrue(render("{{ " + "a".repeat(MILLION) + " }}").startsWith("!"));
        assertTrue(render("{{ ." + "a.".repeat(MILLION) + "a }}").startsWith("!"));
        assertTrue(render("{{ .a" + " | .a".repeat(MILLION) + " }}").startsWith("!"));
        assertTrue(render("{{ $a := 1 }}".repeat(2_000)).contains("more than 1000 variables"));
        assertTrue(render("{{.}}".repeat(MILLION)).contains("characters in memory"));
        assertTrue(render("{{/*".repeat(MILLION)).startsWith("!"));
    }

    @Test
    void reading_greatestDepth_isRendered_andOneMoreIsRefused() {
        assertEquals("true", render("{{" + "(".repeat(199) + "." + ")".repeat(199) + "}}"));
        assertTrue(render("{{" + "(".repeat(200) + "." + ")".repeat(200) + "}}").contains("nested deeper than 200"));
        assertEquals("x", render("{{if .}}".repeat(199) + "x" + "{{end}}".repeat(199)));
        assertTrue(render("{{if .}}".repeat(201) + "x" + "{{end}}".repeat(201)).contains("nested deeper than 200"));
    }

    /** Each {@code else if} is a block in the one before. */
    @Test
    void reading_longChainOfElseIf_isRefused() {
        assertEquals("y", render("{{if false}}x" + chain(199) + "{{else}}y{{end}}"));
        assertTrue(render("{{if false}}x" + chain(1_000) + "{{end}}").contains("nested deeper than 200"));
    }

    private static String chain(int times) {
        return "{{else if false}}x".repeat(times);
    }

    @Test
    void rendering_templatesInDeepTemplates_isRefusedBeforeTheStackEnds() {
        String deep = "{{range 2}}{{if true}}".repeat(90) + "{{template \"a\" .}}";
        String text = "{{define \"a\"}}" + deep + "{{end}}".repeat(181) + "{{template \"a\" .}}";
        assertTrue(render(text).contains("it goes deeper than 300 levels"), render(text));
    }

    @Test
    void rendering_numbersOfAnyPrecision_areCountedBeforeTheyAreMade() throws Refused {
        Meter small = new Meter(new Meter.Limits(100_000, 10_000, 10));
        Template template = Template.parse("t", "{{printf \"%.900000f\" 0.5}}", Map.of());
        Refused refused = assertThrows(Refused.class, () -> template.render(null, Template.Options.STRICT, small));
        assertTrue(refused.refusal().message().startsWith("template: t:1:3: printf: it needs"));
        String digits = render("{{printf \"%.2000f\" 0.5}}");
        assertEquals("0.5" + "0".repeat(1999), digits);
        assertEquals("5." + "0".repeat(2000) + "e-01", render("{{printf \"%.2000e\" 0.5}}"));
    }
}

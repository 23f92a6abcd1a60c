package io.cleat.fuzz.targets;

import io.cleat.base.Meter;
import io.cleat.fuzz.Target;
import io.cleat.template.Function;
import io.cleat.template.Template;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;

/** Templates of tasks, with the functions that look at nothing outside. */
final class Templates implements Target {
    private static final int LARGEST = 1 << 20;

    private final Method functions = Hidden.method("agent.template.Rendering", "pure");
    private final Meter.Limits limits = (Meter.Limits) Hidden.constant("agent.template.RenderingBudget", "LIMITS");

    @Override
    public String name() {
        return "templates";
    }

    @Override
    public String about() {
        return "templates of tasks: read and rendered, with the functions that tasks have";
    }

    /**
     * Its meter bounds what it holds, and its steps, of which there are five million: each may leave some hundreds of
     * bytes of garbage.
     */
    @Override
    public long mostBytes() {
        return 3L << 30;
    }

    @Override
    public List<byte[]> samples() {
        return List.of(
                        "{{ with $d := \"a,b\" | split \",\" }}{{ range $i, $x := $d }}{{ $i }}={{"
                                + " $x | toUpper | printf \"%5s %q %v\" }}{{ else }}none{{ end }}{{"
                                + " end }}",
                        "{{ define \"t\" }}{{ if . }}{{ template \"t\" (subtract 1 .) }}{{ end }}{{"
                                + " end }}{{ template \"t\" 3 }}",
                        "{{ range loop 3 }}{{ . }}{{ break }}{{ end }}{{- /* c */ -}} {{ `raw` }}",
                        "{{ $m := parseJSON \"{\\\"a\\\":[1,{\\\"b\\\":null}]}\" }}{{ index $m.a 1"
                                + " }}{{ $m | toJSONPretty }}{{ $m | toYAML }}",
                        "{{ regexReplaceAll \"(a+)b\" \"$1\" \"aab\" }}{{ regexMatch \"^a\" \"b\" }}",
                        "{{ add 1 2 | multiply 3 | divide 4 | modulo 5 }}{{ eq 1 1.0 }}{{ and true"
                                + " (not false) (or 0 1) (lt 1 2) }}",
                        "{{ base64Encode \"a\" | base64Decode }}{{ sha256Hex \"a\" }}{{ slice"
                                + " \"abc\" 1 2 }}{{ len \"abc\" }}{{ html \"<\" }}{{ js \"'\""
                                + " }}{{ urlquery \"&\" }}",
                        // As many steps as there are.
                        "{{ range loop 99 }}".repeat(30) + "{{ end }}".repeat(30),
                        "{{ scratch.Set \"a\" 1 }}{{ scratch.Get \"a\" }}{{ timestamp }}{{ env \"HOME\" }}")
                .stream()
                .map(Samples::bytes)
                .toList();
    }

    @Override
    public List<String> words() {
        return List.of(
                "{{",
                "}}",
                "{{-",
                "-}}",
                "{{ end }}",
                "{{ range loop 1000000 }}",
                "printf \"%1000000000d\" 1",
                "printf \"%*d\" 999999999 1",
                "regexMatch \"^(a|b)*!$\"",
                "regexReplaceAll \"(([a-z]+)*)*!\" \"\"",
                "| printf \"%s%s\" .",
                "$x := ",
                "$x = printf \"%s%s\" $x $x",
                "nil",
                "\"\\ud800\"",
                "'\\x'",
                "0x7fffffffffffffff",
                "1e999999999",
                "parseInt",
                "parseFloat",
                "parseBool",
                "parseYAML \"a: &a [*a]\"",
                "repeat",
                "replaceAll \"\" \"aaaaaaaa\"",
                "indent 999999999",
                "spew_dump",
                "join",
                "split \"\"",
                "toJSON",
                "toTOML",
                "byKey",
                "contains",
                "in",
                "timestamp",
                "template \"t\" .",
                "block \"t\" .",
                "define \"t\"",
                "else if",
                "with",
                "index");
    }

    @Override
    public void run(byte[] input) throws Exception {
        // One for both, as for a task; who renders a template of his own may take forty times as
        // long.
        Meter meter = new Meter(limits);
        String text = Template.parse("fuzz", Samples.text(input), Template.Delimiters.BRACES, pure(), meter)
                .render(Map.of(), new Template.Options(Template.Missing.NOTHING, LARGEST), meter);
        if (text.length() > LARGEST) {
            throw new AssertionError("a template gave " + text.length() + " characters");
        }
    }

    @SuppressWarnings("unchecked")
    private Map<String, Function> pure() throws Exception {
        Object all = Hidden.call(functions, null);
        if (all == null) {
            throw new IllegalStateException("no functions");
        }
        return (Map<String, Function>) all;
    }
}

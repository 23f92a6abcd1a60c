package io.cleat.cli;

import io.cleat.api.Json;
import io.cleat.api.Variable;
import io.cleat.api.VariableLock;
import io.cleat.base.Secrets;
import io.cleat.base.VisibleText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Variables as they are printed, in the forms that {@code -out} names. */
final class VariableText {
    static final String TEMPLATE_FORM = "go-template";
    static final String HCL = "hcl";
    static final String JSON = "json";
    static final String KEY_VALUE = "keyvalue";
    static final String NONE = "none";
    static final String TABLE = "table";

    /** What one variable can be printed as. */
    static final List<String> FORMS = List.of(TEMPLATE_FORM, HCL, JSON, KEY_VALUE, NONE, TABLE);

    static final String OUT_FLAG = "out";
    static final String TEMPLATE_FLAG = "template";
    static final Flag TEMPLATE = Flag.value(TEMPLATE_FLAG, "text", "The template of Go's for -out=go-template.");

    private VariableText() {}

    /** The flag that names one of these forms. */
    static Flag out(String placeholder, String usual) {
        return Flag.value(OUT_FLAG, placeholder, "What is printed. Default: " + usual + ".");
    }

    /**
     * The form that a command line asks for.
     *
     * @param known what it may name
     * @param shown what is usual on a terminal; elsewhere it is JSON
     */
    static String form(Call call, List<String> known, String shown) throws Failure {
        boolean isTerminal = call.environment().terminal().showsColour();
        String form = call.flags().value(OUT_FLAG).orElse(isTerminal ? shown : JSON);
        boolean hasTemplate = call.flags().value(TEMPLATE_FLAG).isPresent();
        if (!known.contains(form)) {
            throw new Failure("-out=" + form + " is no form of output", "expected " + String.join(", ", known));
        }
        if (form.equals(TEMPLATE_FORM) && !hasTemplate) {
            throw new Failure("-out=go-template needs a template: -template='{{ .Path }}'");
        }
        if (!form.equals(TEMPLATE_FORM) && hasTemplate) {
            throw new Failure("-template is for -out=go-template, and this is -out=" + form);
        }
        return form;
    }

    /** Prints one, in a form of {@link #FORMS}. */
    static void print(Call call, Variable variable, String form) throws Failure {
        switch (form) {
            case TEMPLATE_FORM ->
                call.text(TemplateOutput.of(call.flags().value(TEMPLATE_FLAG).orElseThrow(), variable));
            case HCL -> call.text(hcl(variable).stripTrailing());
            case JSON -> call.json(variable);
            case KEY_VALUE -> call.text(keyValues(variable, call.showsPerson()));
            case TABLE -> table(call, variable);
            default -> {
                // Nothing is asked for.
            }
        }
    }

    private static void table(Call call, Variable variable) {
        Rows rows = new Rows()
                .put("Namespace", variable.Namespace())
                .put("Path", VisibleText.line(variable.Path()))
                .put("Create Time", Human.time(variable.CreateTime(), call.zone()));
        if (variable.ModifyTime() != variable.CreateTime()) {
            rows.put("Modify Time", Human.time(variable.ModifyTime(), call.zone()));
        }
        rows.put("Check Index", String.valueOf(variable.ModifyIndex()));
        VariableLock lock = variable.Lock();
        if (lock != null) {
            rows.put("Lock TTL", lock.TTL()).put("Lock Delay", lock.LockDelay());
        }
        call.out(rows.text());
        Rows items = new Rows();
        items(variable).forEach((name, value) -> items.put(VisibleText.line(name), value));
        call.section("Items", items.text());
    }

    /** For a person each is one line, whatever is in it. */
    private static String keyValues(Variable variable, boolean forPerson) {
        StringBuilder lines = new StringBuilder();
        items(variable).forEach((name, value) -> {
            String line = name + "=" + value;
            lines.append(forPerson ? VisibleText.line(line) : line).append('\n');
        });
        return lines.toString().stripTrailing();
    }

    static Map<String, String> items(Variable variable) {
        return Objects.requireNonNullElse(variable.Items(), Secrets.none()).reveal();
    }

    /** As {@code var put} reads it back. */
    private static String hcl(Variable variable) {
        StringBuilder text = new StringBuilder();
        text.append("namespace    = ").append(quoted(variable.Namespace())).append('\n');
        text.append("path         = ").append(quoted(variable.Path())).append('\n');
        text.append("create_index = ").append(variable.CreateIndex()).append('\n');
        text.append("modify_index = ").append(variable.ModifyIndex()).append('\n');
        text.append("create_time  = ").append(variable.CreateTime()).append('\n');
        text.append("modify_time  = ").append(variable.ModifyTime()).append('\n');
        text.append("\nitems = {\n");
        items(variable)
                .forEach((name, value) -> text.append("  ")
                        .append(quoted(name))
                        .append(" = ")
                        .append(quoted(value))
                        .append('\n'));
        return text.append("}\n").toString();
    }

    /** A text of JSON is one of HCL too, but for what begins an expression in it. */
    private static String quoted(String text) {
        String json = new String(Json.write(text), StandardCharsets.UTF_8);
        return json.replace("${", "$${").replace("%{", "%%{");
    }
}

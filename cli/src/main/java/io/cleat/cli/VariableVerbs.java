package io.cleat.cli;

import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.api.Variable;
import io.cleat.api.VariableMetadata;
import io.cleat.api.VariablesClient;
import io.cleat.base.LinkTrouble;
import io.cleat.base.TextRule;
import io.cleat.base.VisibleText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Variables: written, shown, removed. */
final class VariableVerbs {
    private static final String CHECK_FLAG = "check-index";
    private static final Flag CHECK =
            Flag.value(CHECK_FLAG, "index", "Only if the variable has this check index; 0 if it must not be there.");
    private static final String FORCE_FLAG = "force";
    private static final Flag FORCE = Flag.yes(FORCE_FLAG, "Whatever index the variable has, and whether it is there.");
    static final Flag IN = Flag.value(
            VariableSpec.IN_FLAG, "hcl | json", "What the file is. It is read as what it is without the flag too.");
    private static final String ITEM_FLAG = "item";
    private static final String TERSE = "terse";
    private static final List<String> LIST_FORMS =
            List.of(VariableText.TEMPLATE_FORM, VariableText.JSON, VariableText.TABLE, TERSE);
    private static final int LONGEST_INDEX = 20;

    private VariableVerbs() {}

    static List<Verb> all() {
        return List.of(
                Verb.named("var put", "Make or change a variable")
                        .takes(1, Integer.MAX_VALUE, "<path | @file | -> [@file | -] [name=value...]")
                        .about("Stores a variable: named texts that are kept encrypted in the"
                                + " cluster. All of its items are replaced by those of the"
                                + " file, a specification in HCL or JSON, and of the"
                                + " command line, which win. The value of name=@FILE is read"
                                + " from a file, that of name=- from standard input. Without"
                                + " -check-index and -force, the variable must be as the"
                                + " specification says (modify_index), or not be there.")
                        .flags(
                                CHECK,
                                FORCE,
                                IN,
                                VariableText.out(
                                        "go-template | hcl | json | keyvalue | none | table",
                                        "none on a terminal, else json"),
                                VariableText.TEMPLATE,
                                Flag.VERBOSE)
                        .examples(
                                "cleat var put nomad/jobs/web db_password=secret",
                                "cleat var put -force nomad/jobs/web key=@server.key",
                                "cleat var put @spec.nv.hcl",
                                "cleat var get nomad/jobs/web | cleat var put - user=dba")
                        .does(VariableVerbs::put),
                Verb.named("var get", "Show a variable with its items")
                        .takes(1, 1, "<path>")
                        .flags(
                                Flag.value(
                                        ITEM_FLAG, "name", "Print the value of this item alone, without a line end."),
                                VariableText.out(
                                        "go-template | hcl | json | keyvalue | none | table",
                                        "table on a terminal, else json"),
                                VariableText.TEMPLATE)
                        .examples("cleat var get nomad/jobs/web", "cleat var get -item=db_password nomad/jobs/web")
                        .does(VariableVerbs::get),
                Verb.named("var list", "List variables")
                        .takes(0, 1, "[prefix]")
                        .about("Lists the paths of variables, or of those that begin so.")
                        .flags(
                                VariableText.out(
                                        "go-template | json | table | terse", "table on a terminal, else json"),
                                VariableText.TEMPLATE,
                                Flag.value("per-page", "count", "Print at most so many."),
                                Flag.value("page-token", "token", "Begin where the last page ended."),
                                Flag.value("filter", "expression", "Print only those that satisfy it."))
                        .examples("cleat var list nomad/jobs", "cleat var list -namespace=* -out=json")
                        .does(VariableVerbs::list),
                Verb.named("var purge", "Remove a variable for good")
                        .takes(1, 1, "<path>")
                        .flags(CHECK)
                        .examples("cleat var purge nomad/jobs/web")
                        .does(VariableVerbs::purge),
                Verb.named("var init", "Write an example of a specification")
                        .takes(0, 1, "[file]")
                        .flags(VariableText.out("hcl | json", "hcl"), Flag.yes("quiet", "Print nothing."))
                        .examples("cleat var init", "cleat var init -out=json")
                        .does(VariableVerbs::init),
                VariableLocking.VERB);
    }

    private static int put(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, IOException {
        String form = VariableText.form(call, VariableText.FORMS, VariableText.NONE);
        VariableSpec spec = new VariableSpec(call);
        VariableSpec.Read read = spec.read();
        Variable wanted = spec.withItems(read.variable(), read.rest());
        if (VariableText.items(wanted).isEmpty()) {
            throw new Failure(
                    "a variable has at least one item",
                    "give one: cleat var put %s name=value".formatted(wanted.Path()));
        }
        Optional<Long> given = checkIndex(call);
        boolean isForced = call.flags().has(FORCE_FLAG);
        if (isForced && given.isPresent()) {
            throw new Failure("-force and -check-index exclude each other: give one of them");
        }
        @Nullable Long index = isForced ? null : given.orElse(wanted.ModifyIndex());
        Variable stored;
        try {
            stored = call.client().variables().put(wanted, index);
        } catch (UnexpectedAnswer answer) {
            Optional<Failure> conflict = conflict(call, answer, index);
            if (conflict.isPresent()) {
                throw conflict.get();
            }
            throw answer;
        }
        String words = "Successfully %s variable \"%s\"!"
                .formatted(
                        stored.CreateIndex() == stored.ModifyIndex() ? "created" : "updated",
                        VisibleText.line(stored.Path()));
        if (form.equals(VariableText.NONE) || form.equals(VariableText.TABLE)) {
            call.out(words);
        } else if (call.isVerbose()) {
            call.say(words);
        }
        VariableText.print(call, stored, form);
        return 0;
    }

    private static Optional<Long> checkIndex(Call call) throws Failure {
        Optional<String> given = call.flags().value(CHECK_FLAG);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        String text = given.get();
        try {
            long index = text.length() > LONGEST_INDEX ? -1 : Long.parseLong(text);
            if (index >= 0) {
                return Optional.of(index);
            }
        } catch (NumberFormatException notOne) {
            // Said below.
        }
        throw new Failure(
                "-check-index=" + VisibleText.cut(text, 64) + " is no index of a variable",
                "expected the one that `cleat var get` prints, or 0");
    }

    /** What a conflict means; empty if it is something else. */
    private static Optional<Failure> conflict(Call call, UnexpectedAnswer answer, @Nullable Long index) {
        return VariablesClient.conflict(answer).map(there -> {
            if (index == null || index == there.ModifyIndex()) {
                return new Failure("the variable is locked, and only who holds its lock changes it");
            }
            if (there.ModifyIndex() == 0) {
                return new Failure(
                        "the variable is not there, and the check index %d says that it is".formatted(index),
                        "to make it: -check-index=0");
            }
            return new Failure(
                    "Check-and-Set conflict: the given check index is %d, and the variable's is %d, of %s"
                            .formatted(index, there.ModifyIndex(), Human.time(there.ModifyTime(), call.zone())),
                    "look at it with: cleat var get %s; to replace it all the same: -force or -check-index=%d"
                            .formatted(VisibleText.line(there.Path()), there.ModifyIndex()));
        });
    }

    private static int get(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        String form = VariableText.form(call, VariableText.FORMS, VariableText.TABLE);
        Variable found;
        try {
            found = call.client()
                    .variables()
                    .get(call.argument(0), Params.none())
                    .body();
        } catch (UnexpectedAnswer answer) {
            if (answer.isNotFound()) {
                throw notFound(call);
            }
            throw answer;
        }
        Optional<String> item = call.flags().value(ITEM_FLAG);
        if (item.isEmpty()) {
            VariableText.print(call, found, form);
            return 0;
        }
        String value = VariableText.items(found).get(item.get());
        if (value == null) {
            throw new Failure(
                    "variable %s has no item %s".formatted(VisibleText.line(found.Path()), TextRule.quoted(item.get())),
                    "its items: "
                            + VisibleText.line(
                                    String.join(", ", VariableText.items(found).keySet())));
        }
        call.raw(call.showsPerson() ? VisibleText.lines(value) : value);
        return 0;
    }

    private static Failure notFound(Call call) {
        return new Failure(
                "there is no variable %s in namespace %s"
                        .formatted(
                                TextRule.quoted(call.argument(0)),
                                call.connection().namespace()),
                "what variables there are: cleat var list");
    }

    /** As -out=json prints a page. */
    private record Page(List<VariableMetadata> Data, PageMeta QueryMeta) {}

    /** What else is known of a page. */
    private record PageMeta(boolean KnownLeader, long LastContact, long LastIndex, String NextToken) {
        static PageMeta of(AnswerMeta meta) {
            return new PageMeta(meta.knownLeader(), meta.lastContactMillis(), meta.index(), meta.nextToken());
        }
    }

    private static int list(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        String form = VariableText.form(call, LIST_FORMS, VariableText.TABLE);
        int perPage = call.flags().number("per-page", 1, 1_000_000, 0);
        Answer<List<VariableMetadata>> answer = call.client()
                .variables()
                .list(Params.none()
                        .prefix(call.argument().orElse(""))
                        .filter(call.flags().value("filter").orElse(""))
                        .page(perPage, call.flags().value("page-token").orElse("")));
        List<VariableMetadata> found = answer.body();
        switch (form) {
            case VariableText.JSON -> call.json(perPage == 0 ? found : new Page(found, PageMeta.of(answer.meta())));
            case VariableText.TEMPLATE_FORM ->
                call.text(TemplateOutput.of(
                        call.flags().value(VariableText.TEMPLATE_FLAG).orElseThrow(), found));
            case TERSE -> {
                if (!found.isEmpty()) {
                    call.out(found.stream()
                            .map(each -> VisibleText.line(each.Path()))
                            .collect(Collectors.joining("\n")));
                }
            }
            default -> call.out(table(call, found));
        }
        if (!answer.meta().nextToken().isEmpty() && !form.equals(VariableText.JSON)) {
            call.say("Next page token: " + answer.meta().nextToken());
        }
        return 0;
    }

    private static String table(Call call, List<VariableMetadata> variables) {
        if (variables.isEmpty()) {
            return "No matching variables found";
        }
        Columns columns = new Columns("Namespace", "Path", "Last Updated");
        for (VariableMetadata variable : variables) {
            columns.row(variable.Namespace(), variable.Path(), Human.time(variable.ModifyTime(), call.zone()));
        }
        return columns.text();
    }

    private static int purge(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        Optional<Long> index = checkIndex(call);
        try {
            call.client().variables().delete(call.argument(0), index.orElse(null));
        } catch (UnexpectedAnswer answer) {
            Optional<Failure> conflict = conflict(call, answer, index.orElse(null));
            if (conflict.isPresent()) {
                throw conflict.get();
            }
            throw answer;
        }
        call.out("Successfully purged variable \"%s\"!".formatted(call.argument(0)));
        return 0;
    }

    private static int init(Call call) throws Failure, IOException {
        String form = call.flags().value(VariableText.OUT_FLAG).orElse(VariableText.HCL);
        boolean json = form.equals(VariableText.JSON);
        if (!json && !form.equals(VariableText.HCL)) {
            throw new Failure("-out=" + form + " is no form of a file", "expected hcl or json");
        }
        String name = call.argument().orElse(json ? "spec.nv.json" : "spec.nv.hcl");
        Path file = call.environment().directory().resolve(name);
        if (Files.exists(file)) {
            throw new Failure("there is a file " + name + " already", "another name: cleat var init NAME");
        }
        Files.writeString(file, VariableExample.text(json), StandardCharsets.UTF_8);
        if (!call.flags().has("quiet")) {
            call.out("Example variable specification written to " + name);
        }
        return 0;
    }
}

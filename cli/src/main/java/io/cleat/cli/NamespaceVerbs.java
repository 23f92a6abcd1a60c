package io.cleat.cli;

import io.cleat.api.Namespace;
import io.cleat.api.NamespaceCapabilities;
import io.cleat.api.NamespaceValidation;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import io.cleat.base.VisibleText;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Namespaces: made, shown, removed. */
final class NamespaceVerbs {
    private static final String DESCRIPTION_FLAG = "description";
    private static final Flag DESCRIPTION = Flag.value(DESCRIPTION_FLAG, "text", "What the namespace is for.");

    /** Files are read as what they are; the flag is known because scripts give it. */
    private static final Flag JSON_FILE =
            Flag.yes("json", "The file is JSON. It is read as such without the flag too.");

    private NamespaceVerbs() {}

    static List<Verb> all() {
        return List.of(
                Verb.named("namespace apply", "Make or change a namespace")
                        .takes(1, 1, "<name | file>")
                        .about("Makes a namespace, or says something else of one. Jobs and"
                                + " volumes are in a namespace, and are told apart by it and"
                                + " their id. The argument is its name, or a file in HCL or"
                                + " JSON, - for standard input, with name, description, meta"
                                + " and capabilities: enabled_task_drivers and"
                                + " disabled_task_drivers say what its jobs may use.")
                        .flags(DESCRIPTION, JSON_FILE)
                        .examples(
                                "cleat namespace apply -description=\"Databases\" db",
                                "cleat namespace apply db.nsp.hcl")
                        .does(NamespaceVerbs::apply),
                Verb.named("namespace list", "List namespaces")
                        .flags(Flag.JSON, Flag.TEMPLATE)
                        .examples("cleat namespace list")
                        .does(NamespaceVerbs::list),
                Verb.named("namespace status", "Show one namespace")
                        .takes(1, 1, "<name>")
                        .about("Shows what is said of a namespace; the beginning of its name will do.")
                        .flags(Flag.JSON, Flag.TEMPLATE)
                        .examples("cleat namespace status db")
                        .does(NamespaceVerbs::status),
                Verb.named("namespace inspect", "Print one namespace as JSON")
                        .takes(1, 1, "<name>")
                        .flags(Flag.TEMPLATE)
                        .examples("cleat namespace inspect db")
                        .does(NamespaceVerbs::inspect),
                Verb.named("namespace delete", "Remove a namespace that nothing is in")
                        .takes(1, 1, "<name>")
                        .about("Removes a namespace without jobs and volumes, by its whole name.")
                        .examples("cleat namespace delete db")
                        .does(NamespaceVerbs::delete));
    }

    private static int apply(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, IOException {
        Namespace wanted = isFile(call) ? SpecFile.namespace(call) : named(call);
        Optional<String> description = call.flags().value(DESCRIPTION_FLAG);
        if (description.isPresent()) {
            wanted = described(wanted, description.get());
        }
        List<String> faults = NamespaceValidation.faults(wanted);
        if (!faults.isEmpty()) {
            throw new Failure(String.join("\n", faults), "nothing was sent");
        }
        call.client().namespaces().apply(wanted);
        call.out("Successfully applied namespace \"%s\"!".formatted(wanted.Name()));
        return 0;
    }

    private static boolean isFile(Call call) {
        String argument = call.argument(0);
        return argument.equals("-")
                || Files.isRegularFile(call.environment().directory().resolve(argument));
    }

    /** What is known of it stays, but for what the flags say. */
    private static Namespace named(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        String name = call.argument(0);
        return found(call, name).stream()
                .filter(each -> each.Name().equals(name))
                .findFirst()
                .orElseGet(() -> new Namespace(null, null, 0, "", null, null, 0, name, null, null, "", null, null));
    }

    private static Namespace described(Namespace namespace, String description) {
        return new Namespace(
                namespace.Capabilities(),
                namespace.ConsulConfiguration(),
                namespace.CreateIndex(),
                description,
                null,
                namespace.Meta(),
                namespace.ModifyIndex(),
                namespace.Name(),
                namespace.NodePoolConfiguration(),
                namespace.OptionalExtraClaims(),
                namespace.Quota(),
                namespace.RequiredExtraClaims(),
                namespace.VaultConfiguration());
    }

    private static List<Namespace> found(Call call, String prefix) throws Failure, UnexpectedAnswer, LinkTrouble {
        return call.client().namespaces().list(Params.none().prefix(prefix)).body();
    }

    private static int list(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        List<Namespace> found = found(call, "");
        if (!call.machine(found)) {
            call.out(table(found));
        }
        return 0;
    }

    private static String table(List<Namespace> namespaces) {
        Columns columns = new Columns("Name", "Description");
        for (Namespace namespace : namespaces) {
            columns.row(namespace.Name(), orNone(namespace.Description()));
        }
        return columns.text();
    }

    private static Namespace one(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        String given = call.argument(0);
        return Prefix.one("namespace", given, found(call, given), Namespace::Name, NamespaceVerbs::table);
    }

    private static int status(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        Namespace namespace = one(call);
        if (call.machine(namespace)) {
            return 0;
        }
        NamespaceCapabilities capabilities = namespace.Capabilities();
        call.out(new Rows()
                .put("Name", namespace.Name())
                .put("Description", orNone(namespace.Description()))
                .put("EnabledDrivers", capabilities == null ? "*" : drivers(capabilities.EnabledTaskDrivers(), "*"))
                .put(
                        "DisabledDrivers",
                        capabilities == null ? "<none>" : drivers(capabilities.DisabledTaskDrivers(), "<none>"))
                .text());
        if (namespace.Meta() != null && !namespace.Meta().isEmpty()) {
            Rows meta = new Rows();
            namespace.Meta().forEach((key, value) -> meta.put(key, VisibleText.line(value)));
            call.section("Metadata", meta.text());
        }
        return 0;
    }

    private static String drivers(@Nullable List<String> named, String none) {
        return named == null || named.isEmpty() ? none : String.join(",", named);
    }

    private static String orNone(String text) {
        return text.isEmpty() ? "<none>" : VisibleText.line(text);
    }

    private static int inspect(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        Namespace namespace = one(call);
        if (!call.machine(namespace)) {
            call.json(namespace);
        }
        return 0;
    }

    private static int delete(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        String name = call.argument(0);
        call.client().namespaces().delete(name);
        call.out("Successfully deleted namespace \"%s\"!".formatted(name));
        return 0;
    }
}

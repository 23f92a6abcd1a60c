package io.cleat.cli;

import io.cleat.api.Variable;
import io.cleat.api.VariableValidation;
import io.cleat.base.Ids;
import io.cleat.base.Secrets;
import io.cleat.base.TextRule;
import io.cleat.jobspec.Parsed;
import io.cleat.jobspec.VariableFile;
import io.cleat.jobspec.hcl.FaultText;
import io.cleat.jobspec.hcl.RuntimeValues;
import io.cleat.jobspec.hcl.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The variable that a command line describes: a path, a file {@code @FILE} or {@code -} for standard input, and items
 * {@code name=value}.
 */
final class VariableSpec {
    static final String IN_FLAG = "in";

    private final Call call;
    private boolean isInputRead;

    VariableSpec(Call call) {
        this.call = call;
    }

    /**
     * What a command line says.
     *
     * @param variable without items if it says none
     * @param rest of the arguments, behind path and file
     */
    record Read(Variable variable, List<String> rest) {}

    /** Path and file, or a file that has the path. */
    Read read() throws Failure, IOException {
        List<String> arguments = call.arguments();
        String first = arguments.getFirst();
        int next = 1;
        String path = "";
        @Nullable Variable file = null;
        if (isFile(first)) {
            file = file(first);
        } else {
            path = first;
            if (arguments.size() > 1 && isFile(arguments.get(1))) {
                file = file(arguments.get(1));
                next = 2;
            }
        }
        return new Read(
                placed(path, file == null ? Variable.wanted("", "", null, null) : file),
                arguments.subList(next, arguments.size()));
    }

    /** With what the arguments say, which wins. */
    Variable withItems(Variable variable, List<String> arguments) throws Failure, IOException {
        Map<String, String> items = new TreeMap<>(VariableText.items(variable));
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (equals <= 0) {
                throw new Failure(
                        "expected name=value, got an argument without " + (equals == 0 ? "a name" : "an equals sign"),
                        "the value of name=@FILE is read from a file, that of name=- from standard input");
            }
            items.put(argument.substring(0, equals), value(argument.substring(equals + 1)));
        }
        Secrets all = Secrets.of(items);
        List<String> faults = VariableValidation.itemFaults(all);
        if (!faults.isEmpty()) {
            throw new Failure(String.join("\n", faults), "nothing was sent");
        }
        return new Variable(
                variable.CreateIndex(),
                variable.CreateTime(),
                all,
                variable.Lock(),
                variable.ModifyIndex(),
                variable.ModifyTime(),
                variable.Namespace(),
                variable.Path());
    }

    private static boolean isFile(String argument) {
        return argument.equals("-") || argument.startsWith("@");
    }

    private String value(String given) throws Failure, IOException {
        if (given.equals("-")) {
            return text("standard input", input());
        }
        if (given.startsWith("@")) {
            Path file = resolve(given.substring(1));
            return text(file.toString(), Files.readAllBytes(file));
        }
        return given;
    }

    private static String text(String from, byte[] bytes) throws Failure {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notText) {
            throw new Failure(from + " is not UTF-8, and items are texts", "encode it, for instance: base64");
        }
    }

    private byte[] input() throws Failure, IOException {
        if (isInputRead) {
            throw new Failure("standard input is read for two things: give one of them in a file");
        }
        isInputRead = true;
        return call.environment().terminal().readAll();
    }

    private Path resolve(String name) {
        return call.environment().directory().resolve(name);
    }

    private Variable file(String argument) throws Failure, IOException {
        boolean isInput = argument.equals("-");
        String name = isInput ? "<stdin>" : argument.substring(1);
        String in = call.flags().value(IN_FLAG).orElse("");
        if (!in.isEmpty() && !in.equals("hcl") && !in.equals("json")) {
            throw new Failure("-in=" + in + " is no form of a file", "expected hcl or json");
        }
        byte[] bytes = isInput ? input() : Files.readAllBytes(resolve(name));
        String text = text(name, bytes);
        boolean isJson = text.stripLeading().startsWith("{");
        if (!in.isEmpty() && isJson != in.equals("json")) {
            throw new Failure(
                    name + " is " + (isJson ? "JSON" : "not JSON") + ", and -in says " + in,
                    "leave out -in: files are read as what they are");
        }
        Source source = Source.of(name, text, call.environment().directory().toAbsolutePath());
        return switch (VariableFile.parse(source, new RuntimeValues(call.time(), Ids.random()))) {
            case Parsed.Good<Variable>(Variable variable) -> variable;
            case Parsed.Bad<Variable> bad -> {
                call.ask(FaultText.plain().render(bad.faults()));
                throw new Failure(name + " cannot be read", "nothing was sent");
            }
        };
    }

    /** The command's own words win over the file's. */
    private Variable placed(String path, Variable file) throws Failure {
        String of = path.isEmpty() ? file.Path() : path;
        if (of.isEmpty()) {
            throw new Failure("the variable has no path", "give it in front of the file: cleat var put PATH @FILE");
        }
        Optional<String> fault = VariableValidation.pathFault(of);
        if (fault.isPresent()) {
            throw new Failure(fault.get());
        }
        String namespace = call.namedNamespace()
                .orElse(file.Namespace().isEmpty() ? call.connection().namespace() : file.Namespace());
        if (namespace.equals("*")) {
            throw new Failure("a variable is in one namespace, and " + TextRule.quoted("*") + " is all");
        }
        return new Variable(
                file.CreateIndex(),
                file.CreateTime(),
                file.Items(),
                file.Lock(),
                file.ModifyIndex(),
                file.ModifyTime(),
                namespace,
                of);
    }
}

package io.cleat.jobspec.hcl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The language, one expression and its value per row; {@code ==>} between the two. */
final class ExpressionTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 + 2 * 3 ==> 7",
                "(1 + 2) * 3 ==> 9",
                "10 - 4 - 3 ==> 3",
                "7 % 4 ==> 3",
                "7 / 2 ==> 3.5",
                "0.1 + 0.2 ==> 0.3",
                "1e3 ==> 1000",
                "100000000000000000001 + 1 ==> 100000000000000000002",
                "-2 * -3 ==> 6",
                "\"3\" + 1 ==> 4",
                "2.50 ==> 2.5",
                "!false ==> true",
                "true || false && false ==> true",
                "1 < 2 == true ==> true",
                "1 == \"1\" ==> false",
                "2 == 2.0 ==> true",
                "[1, 2] == [1, 2] ==> true",
                "null == null ==> true",
                "1 != 2 ==> true",
                "3 >= 3 && 2 <= 1 ==> false",
                "true ? 1 : 2 ==> 1",
                "false ? 1 : true ? 2 : 3 ==> 2",
                "true ? 1 : \"auto\" ==> \"1\"",
                "true ? true : \"x\" ==> \"true\"",
                "null ==> null",
            })
    void operators(String row) {
        check(row);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[1, 2, 3,] ==> [1,2,3]",
                "[] ==> []",
                "{} ==> {}",
                "{ a = 1, b : 2 } ==> {\"a\":1,\"b\":2}",
                "{\n a = 1\n\n b = 2 # c\n} ==> {\"a\":1,\"b\":2}",
                "{ \"x y\" = 1 } ==> {\"x y\":1}",
                "{ (\"a${1}\") = 1 } ==> {\"a1\":1}",
                "{ for = 1 } ==> {\"for\":1}",
                "{ 1 = 2 } ==> {\"1\":2}",
                "[1, 2, 3][1] ==> 2",
                "[[1, 2], [3]].0.1 ==> 2",
                "{ a = { b = [5] } }.a.b[0] ==> 5",
                "{ a = 1 }[\"a\"] ==> 1",
                "[{ n = 1 }, { n = 2 }][*].n ==> [1,2]",
                "[{ n = [1] }, { n = [2] }][*].n[0] ==> [1,2]",
                "[{ n = [1] }, { n = [2] }].*.n[0] ==> [1]",
                "[{ n = [{ m = 1 }] }][*].n[*].m ==> [[1]]",
                "{ n = 1 }[*].n ==> [1]",
                "null[*] ==> []",
            })
    void collections(String row) {
        check(row);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[for x in [1, 2, 3] : x * 2 if x != 2] ==> [2,6]",
                "[for i, x in [\"a\", \"b\"] : \"${i}${x}\"] ==> [\"0a\",\"1b\"]",
                "[for k, v in { b = 1, a = 2 } : k] ==> [\"a\",\"b\"]",
                "{ for x in [\"a\", \"b\"] : x => upper(x) } ==> {\"a\":\"A\",\"b\":\"B\"}",
                "{ for x in [\"aa\", \"b\", \"ab\"] : length(x) => x... } ==> {\"1\":[\"b\"],\"2\":[\"aa\",\"ab\"]}",
                "[for x in [[1, 2], [3]] : [for y in x : y + 1]] ==> [[2,3],[4]]",
                "[\n for x in [1]\n :\n x\n] ==> [1]",
            })
    void loops(String row) {
        check(row);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"a\\n\\t\\\"\\\\\\u00e9\\U0001F600\" ==> \"a\\n\\t\\\"\\\\é😀\"",
                "\"dc${3}\" ==> \"dc3\"",
                "\"${[1]}\" ==> [1]",
                "\"${1}${2}\" ==> \"12\"",
                "\"$${x} %%{if} 100%\" ==> \"${x} %{if} 100%\"",
                "\"$x\" ==> \"$x\"",
                "\"${\"in${\"ner\"}\"}\" ==> \"inner\"",
                "\"a ${~ 1 ~} b\" ==> \"a1b\"",
                "\"%{ if true }yes%{ else }no%{ endif }\" ==> \"yes\"",
                "\"%{ if false }yes%{ endif }\" ==> \"\"",
                "\"%{ for x in [1, 2] }<${x}>%{ endfor }\" ==> \"<1><2>\"",
                "\"%{ for i, x in [\"a\"] ~} ${i}=${x} %{~ endfor }\" ==> \"0=a\"",
                "<<EOF\nhello ${1 + 1}\n  $${x} \\n\nEOF\n ==> \"hello 2\\n  ${x} \\\\n\\n\"",
                "<<-EOF\n    a\n      b\n\n    ${1}c\n    EOF\n ==> \"a\\n  b\\n\\n1c\\n\"",
                "<<-EOF\n  %{ if true ~}\n  x\n  %{ endif ~}\n  EOF\n ==> \"x\\n\"",
                "[<<A\nx\nA\n, 1] ==> [\"x\\n\",1]",
                "<<EOF\nEOF\n ==> \"\"",
            })
    void templates(String row) {
        check(row);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"${attr.kernel.name}\" ==> \"${attr.kernel.name}\"",
                "\"a${node.unique.id}b\" ==> \"a${node.unique.id}b\"",
                "\"${env[\"HOME\"]}\" ==> \"${env[\\\"HOME\\\"]}\"",
                "\"${NOMAD_TASK_DIR}/x\" ==> \"${NOMAD_TASK_DIR}/x\"",
                "\"--endpoint=${CSI_ENDPOINT}\" ==> \"--endpoint=${CSI_ENDPOINT}\"",
                "\"${~ meta.rack ~}\" ==> \"${meta.rack}\"",
                "attr.cpu.arch ==> \"${attr.cpu.arch}\"",
                "upper(\"x${1}\") ==> \"X1\"",
                "[for meta in [{ a = 1 }] : \"${meta.a}\"] ==> [1]",
            })
    void namesOfTheNodeStayLiteral(String row) {
        check(row);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "format(\"%s-%03d\", \"a\", 7) ==> \"a-007\"",
                "format(\"%5.2f|%-4s|%+d|%x|%t|%%\", 3.14159, \"ab\", 5, 255, true) ==> \" 3.14|ab  |+5|ff|true|%\"",
                "format(\"%q %v %v\", \"a\", [1], \"b\") ==> \"\\\"a\\\" [1] b\"",
                "format(\"%[2]s%[1]s\", \"a\", \"b\") ==> \"ba\"",
                "format(\"%e\", 1234.5) ==> \"1.234500e+03\"",
                "join(\",\", [\"a\", 1, true]) ==> \"a,1,true\"",
                "split(\",\", \"a,b,\") ==> [\"a\",\"b\",\"\"]",
                "split(\"\", \"ab\") ==> [\"a\",\"b\"]",
                "lower(\"ÄB\") ==> \"äb\"",
                "upper(\"aß\") ==> \"ASS\"",
                "replace(\"a.b.c\", \".\", \"-\") ==> \"a-b-c\"",
                "replace(\"ab\", \"\", \"-\") ==> \"-a-b-\"",
                "trimspace(\" \\n a \") ==> \"a\"",
                "concat([1], [], [2, 3]) ==> [1,2,3]",
                "concat([[1], [2]]...) ==> [1,2]",
                "merge({ a = 1, b = 1 }, { b = 2 }) ==> {\"a\":1,\"b\":2}",
                "keys({ b = 1, a = 2 }) ==> [\"a\",\"b\"]",
                "values({ b = 1, a = 2 }) ==> [2,1]",
                "lookup({ a = 1 }, \"a\", 0) ==> 1",
                "lookup({ a = 1 }, \"b\", 0) ==> 0",
                "length([1, 2]) + length({ a = 1 }) + length(\"é😀\") ==> 5",
                "range(3) ==> [0,1,2]",
                "range(1, 4) ==> [1,2,3]",
                "range(3, 0, -2) ==> [3,1]",
                "range(0) ==> []",
                "element([\"a\", \"b\"], 3) ==> \"b\"",
                "contains([1, 2], 2) ==> true",
                "contains([\"1\"], 1) ==> false",
                "coalesce(null, \"\", \"a\", \"b\") ==> \"a\"",
                "jsonencode({ b = [1, \"<\"], a = null }) ==> \"{\\\"a\\\":null,\\\"b\\\":[1,\\\"\\\\u003c\\\"]}\"",
                "jsondecode(\"{\\\"a\\\":[1,2.50,true,null]}\").a ==> [1,2.5,true,null]",
                "yamlencode({ a = [1, { b = \"x\" }], c = {} }) ==> \"\\\"a\\\":\\n- 1\\n- \\\"b\\\": "
                        + "\\\"x\\\"\\n\\\"c\\\": {}\\n\"",
                "yamlencode([[1, 2], [3]]) ==> \"- - 1\\n  - 2\\n- - 3\\n\"",
                "base64encode(\"hé\") ==> \"aMOp\"",
                "timestamp() ==> \"2026-01-02T03:04:05Z\"",
                "uuidv4() ==> \"id-1\"",
                "uuidv5(\"dns\", \"python.org\") ==> \"886313e1-3b8a-5372-9b90-0c9aee199e5d\"",
                "uuidv5(\"6ba7b811-9dad-11d1-80b4-00c04fd430c8\", \"\") == uuidv5(\"url\", \"\") ==> true",
                "pathexpand(\"/etc/motd\") ==> \"/etc/motd\"",
            })
    void functions(String row) {
        check(row);
    }

    private static void check(String row) {
        int cut = row.lastIndexOf(" ==> ");
        Faults faults = new Faults();
        Value value = FixedRuntime.evaluate(Source.of("test.hcl", row.substring(0, cut)), faults);
        assertTrue(faults.isEmpty(), () -> FaultText.plain().render(faults.sorted()));
        try {
            // Compared as values: the text behind the arrow is JSON.
            assertEquals(JsonText.read(row.substring(cut + 5)), value);
        } catch (Misuse e) {
            throw new AssertionError("The row has no JSON: " + e.detail(), e);
        }
    }
}

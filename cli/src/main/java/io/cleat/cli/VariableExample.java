package io.cleat.cli;

/** The file that {@code var init} writes. */
final class VariableExample {
    private static final String HCL = """
            # A variable: named texts that are kept encrypted in the cluster. `cleat var put @FILE` stores it.
            # Where the command names a path or a namespace, that one counts.
            # path      = "path/to/variable"
            # namespace = "default"

            # Names and values; at most 64 KiB of both together. A name of letters, digits and _ can be read
            # in a template as {{ .name }}, any other as {{ index . "a name" }}.
            items {
              key1 = "value 1"
              key2 = "value 2"
            }
            """;

    private static final String JSON = """
            {
              "Namespace": "default",
              "Path": "path/to/variable",
              "Items": {
                "key1": "value 1",
                "key2": "value 2"
              }
            }
            """;

    private VariableExample() {}

    static String text(boolean json) {
        return json ? JSON : HCL;
    }
}

@NullMarked
package io.cleat.cli;

import org.jspecify.annotations.NullMarked;

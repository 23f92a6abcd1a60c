@NullMarked
package io.cleat.testkit;

import org.jspecify.annotations.NullMarked;

@NullMarked
package io.cleat.driver.exec;

import org.jspecify.annotations.NullMarked;

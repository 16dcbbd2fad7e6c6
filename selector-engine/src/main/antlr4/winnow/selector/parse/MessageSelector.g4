// Syntax of message selectors, Jakarta Messaging 3.1, section 3.8.1.
//
// One token of lookahead decides everywhere, so that parsing is linear, errors are found at the
// first wrong token, and ANTLR's prediction cache stays empty (selectors come from clients). For the
// same reason conditions and values are one hierarchy here; which may stand where is checked by
// TypeRules while the tree is built.
grammar MessageSelector;

// 3.8.1.2: "A selector is a conditional expression."
selector : disjunction EOF ;

// 3.8.1.2: "Logical operators in precedence order: NOT, AND, OR."
disjunction : conjunction (OR conjunction)* ;
conjunction : negation (AND negation)* ;
negation : NOT negation | sum tail? ;

// 3.8.1.2: comparison operators, [NOT] BETWEEN, [NOT] IN, [NOT] LIKE, IS [NOT] NULL.
tail
    : comparisonOperator sum
    | NOT? rangeTail
    | IS NOT? NULL
    ;
comparisonOperator : EQUAL | NOT_EQUAL | LESS | LESS_OR_EQUAL | GREATER | GREATER_OR_EQUAL ;
rangeTail
    : BETWEEN sum AND sum
    | IN OPEN STRING (COMMA STRING)* CLOSE
    | LIKE pattern=STRING (ESCAPE escape=STRING)?
    ;

// 3.8.1.2: "Arithmetic operators in precedence order: unary + and -; * and /; + and -."
sum : product ((PLUS | MINUS) product)* ;
product : factor ((TIMES | DIVIDE) factor)* ;
factor
    : (PLUS | MINUS) factor
    | INTEGER
    | DECIMAL
    | STRING
    | TRUE
    | FALSE
    | IDENTIFIER
    | OPEN disjunction CLOSE
    ;

// 3.8.1.1: reserved names, "not case sensitive".
AND     options { caseInsensitive = true; } : 'and' ;
BETWEEN options { caseInsensitive = true; } : 'between' ;
ESCAPE  options { caseInsensitive = true; } : 'escape' ;
FALSE   options { caseInsensitive = true; } : 'false' ;
IN      options { caseInsensitive = true; } : 'in' ;
IS      options { caseInsensitive = true; } : 'is' ;
LIKE    options { caseInsensitive = true; } : 'like' ;
NOT     options { caseInsensitive = true; } : 'not' ;
NULL    options { caseInsensitive = true; } : 'null' ;
OR      options { caseInsensitive = true; } : 'or' ;
TRUE    options { caseInsensitive = true; } : 'true' ;

EQUAL : '=' ;
NOT_EQUAL : '<>' ;
LESS : '<' ;
LESS_OR_EQUAL : '<=' ;
GREATER : '>' ;
GREATER_OR_EQUAL : '>=' ;
PLUS : '+' ;
MINUS : '-' ;
TIMES : '*' ;
DIVIDE : '/' ;
OPEN : '(' ;
CLOSE : ')' ;
COMMA : ',' ;

// 3.8.1.1: "enclosed in single quotes, with a single quote represented by doubled single quote".
STRING : '\'' (~'\'' | '\'\'')* '\'' ;
UNTERMINATED_STRING : '\'' (~'\'' | '\'\'')* ;

// 3.8.1.1: "Exact numeric literals use the Java integer literal syntax." (JLS 3.10.1)
INTEGER
    : ('0' | [1-9] ([0-9_]* [0-9])?) [lL]?
    | '0' [xX] HEX_DIGITS [lL]?
    | '0' [0-7_]* [0-7] [lL]?
    | '0' [bB] [01] ([01_]* [01])? [lL]?
    ;

// 3.8.1.1: "Approximate literals use the Java floating-point literal syntax." (JLS 3.10.2)
DECIMAL
    : DIGITS '.' DIGITS? EXPONENT? [fFdD]?
    | '.' DIGITS EXPONENT? [fFdD]?
    | DIGITS EXPONENT [fFdD]?
    | DIGITS [fFdD]
    | '0' [xX] (HEX_DIGITS '.'? | HEX_DIGITS? '.' HEX_DIGITS) [pP] [+-]? DIGITS [fFdD]?
    ;

// Longer than either of the above: a number that no rule allows, such as 08 or 5x.
MALFORMED_NUMBER : '.'? [0-9] [0-9A-Za-z_.]* ;

fragment DIGITS : [0-9] ([0-9_]* [0-9])? ;
fragment HEX_DIGITS : [0-9a-fA-F] ([0-9a-fA-F_]* [0-9a-fA-F])? ;
fragment EXPONENT : [eE] [+-]? DIGITS ;

// 3.8.1.1: "an unlimited-length character sequence that must begin with a Java identifier start
// character; all following characters must be Java identifier part characters."
IDENTIFIER : START PART* ;
fragment START
    : [A-Za-z_$]
    | ~[\u0000-\u007F] { Character.isJavaIdentifierStart(_input.LA(-1)) }?
    ;
fragment PART
    : [A-Za-z0-9_$\u0000-\u0008\u000E-\u001B\u007F]
    | ~[\u0000-\u007F] { Character.isJavaIdentifierPart(_input.LA(-1)) }?
    ;

// 3.8.1.1: "Whitespace is the same as that defined for Java: space, horizontal tab, form feed, and
// line terminator."
WHITESPACE : [ \t\f\r\n]+ -> skip ;

// 3.8.1.2: "SQL comments are not supported." Taken as one token, or `x = 5 -- c` would be arithmetic.
COMMENT : '--' ;

UNEXPECTED : . ;

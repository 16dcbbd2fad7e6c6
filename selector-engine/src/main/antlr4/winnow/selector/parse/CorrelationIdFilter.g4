// Filters over the correlation ID: `#7`, `order-*`, `[#7;#13]`, joined by `|`. White space counts.
//
// A backslash takes the meaning from * ? [ ] ( ) ; | and itself. A bracket or parenthesis at the
// start of an item begins a range; elsewhere in a text a parenthesis is an ordinary character.
grammar CorrelationIdFilter;

filter : item (OR item)* EOF ;
item : range | text ;

// '[' and ']' include the bound, '(' and ')' exclude it; one of the bounds may be absent.
range : (OPEN_CLOSED | OPEN) low=bound? SEPARATOR high=bound? (CLOSE_CLOSED | CLOSE) ;
bound : (CHARACTERS | ESCAPED | OPEN)+ ;

text : (CHARACTERS | ESCAPED | ANY_RUN | ANY_CHARACTER | CLOSE)
       (CHARACTERS | ESCAPED | ANY_RUN | ANY_CHARACTER | OPEN | CLOSE)* ;

OR : '|' ;
SEPARATOR : ';' ;
OPEN_CLOSED : '[' ;
CLOSE_CLOSED : ']' ;
OPEN : '(' ;
CLOSE : ')' ;
ANY_RUN : '*' ;
ANY_CHARACTER : '?' ;
ESCAPED : '\\' [*?[\]();|\\] ;
CHARACTERS : ~[*?[\]();|\\]+ ;
UNEXPECTED : . ;

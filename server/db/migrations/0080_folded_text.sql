-- Texts as people compare them: the same functions as contract/text/fold.ts. Their meaning never changes, because indexes
-- hold their results; another meaning needs another function. Neither calls the other by name, so that a restore, which
-- has no search path, can compute columns with them.

CREATE FUNCTION fold(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $fold$
DECLARE
  plain text;
BEGIN
  IF octet_length(given) = char_length(given) THEN
    -- Most texts. translate() would take ten times as long.
    plain := replace(replace(replace(replace(lower(given COLLATE "C"), '-', ' '), '''', ''), '"', ''), '`', '');
  ELSE
    plain := normalize(regexp_replace(given, $$["'`\u00ab\u00b4\u00bb\u02b9-\u02bf\u02c8\u055a\u05f3\u05f4\u2018-\u201f\u2032\u2033\u2035\u2036\ua78c\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]$$, '', 'g'), NFKD);
    plain := regexp_replace(regexp_replace(plain, $$[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]$$, '', 'g'), $$["'`\u00ab\u00b4\u00bb\u02b9-\u02bf\u02c8\u055a\u05f3\u05f4\u2018-\u201f\u2032\u2033\u2035\u2036\ua78c\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]$$, '', 'g');
    plain := lower(plain COLLATE "und-x-icu");
    IF plain ~ '[ßæœþøłđðħŧŋıəɛɔɓɗƙƴς]' THEN
      plain := replace(replace(replace(replace(plain, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
      plain := translate(plain, 'øłđðħŧŋıəɛɔɓɗƙƴς', 'olddhtnieeobdkyσ');
    END IF;
    plain := regexp_replace(normalize(plain, NFC), $$[-\u0009-\u000d\u0085\u05be\u1680\u2010-\u2015\u2028\u2029\u2043\u2212]$$, ' ', 'g');
  END IF;
  IF plain ~ '[\t-\r]|  ' THEN
    plain := regexp_replace(plain, '[\t-\r ]+', ' ', 'g');
  END IF;
  RETURN btrim(plain, ' ');
END $fold$;

-- Of a folded text: each number padded, so that 2 sorts before 10. An index holds the first hundred letters.
CREATE FUNCTION by_number(folded text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $by$
BEGIN
  IF folded ~ '[0-9]' THEN
    RETURN left(regexp_replace(regexp_replace(folded, '([0-9]+)', '0000000000\1', 'g'), '0*([0-9]{10,})', '\1', 'g'), 100);
  END IF;
  RETURN left(folded, 100);
END $by$;

-- A LIKE pattern for folded text that contains this.
CREATE FUNCTION containing(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN '%' || replace(replace(replace(fold(given), '\', '\\'), '%', '\%'), '_', '\_') || '%';

-- Whether a full name ends in a company's legal form: the same as contract/text/company.ts.
CREATE FUNCTION is_company(name text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN trim(name) ~* $re$[ ,](?:inc\.?|incorporated|l\.?l\.?c\.?|l\.?l\.?p\.?|lllp|pllc|p\.l\.l\.c\.|plc|corp\.?|corporation|ltd\.?|limited|ltda\.?|lda\.?|pty|pvt|gmbh|mbh|gbr|ohg|e\.v\.|e\.k\.|s\.?r\.?o\.?|s\.?p\.?a\.?|s\.?r\.?l\.?|s\.?a\.?r\.?l\.?|s\.a\.|s\.a\.s\.|s\.l\.u?\.?|s\.c\.|eurl|b\.v\.|n\.v\.|a/s|aps|oyj|a\.s\.|d\.o\.o\.|z o\.? ?o\.?|kft\.?|zrt\.?|k\.k\.|co\.|p\.c\.|p\.a\.|l\.p\.|trust)$$re$ OR trim(name) ~ $re$[ ,](?:AG|KG|UG|SE & Co\. KG|BV|NV|LP)$$re$;

-- "Mary Ann Trust" is a person, "SIEMENS AG" a company: the same rule as contract/text/company.ts.
CREATE OR REPLACE FUNCTION is_company_name(name text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN is_company(name) AND trim(name) !~ $re$^(?:(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof)\.? )?[^ ,.&/0-9]*[a-z][^ ,.&/0-9]*(?: (?:Ann|Anna|Anne|Beth|Ellen|Jane|Jean|Jo|John|Kate|Kay|Lee|Lou|Louise|Lynn|Mae|Maria|Marie|May|Paul|Rose|Sue))?(?: [^ ,.&/0-9]\.?)*,? [Tt]rust$$re$
    AND trim(name) !~ $re$^(?:(?:MR|MRS|MS|MISS|MX|DR|PROF)\.? )?[^ ,.&/0-9a-z]{2,}(?: (?:ANN|ANNA|ANNE|BETH|ELLEN|JANE|JEAN|JO|JOHN|KATE|KAY|LEE|LOU|LOUISE|LYNN|MAE|MARIA|MARIE|MAY|PAUL|ROSE|SUE))?(?: [^ ,.&/0-9a-z]\.?)* (?:TRUST|KG|LP)$$re$;

UPDATE users SET first_name = first_name
WHERE is_company(first_name || ' ' || last_name)
  AND (strpos(name_key, E'\t') = 0) <> is_company_name(first_name || ' ' || last_name);

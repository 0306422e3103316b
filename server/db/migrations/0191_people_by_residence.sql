-- When the person lives in the home that their text names: null for always, empty for who only owns it or the like.
ALTER TABLE users ADD COLUMN home_during tstzrange;

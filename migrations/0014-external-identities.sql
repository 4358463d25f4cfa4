-- Who signs in with an external provider is known by issuer and subject. Earlier versions knew users only by e-mail address.
CREATE TABLE external_identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  linked_at INTEGER NOT NULL,
  PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX external_identities_by_user ON external_identities (user_id);

-- Whether a command or a sign-in with a provider created the user. Earlier versions did not store it: `keys create` wrote a user
-- together with its first key. Of the others, some were created by a provider, and the rest by `tokens create`.
ALTER TABLE users ADD COLUMN origin TEXT NOT NULL DEFAULT 'command' CHECK (origin IN ('command', 'provider'));
UPDATE users SET origin = 'provider'
WHERE email <> 'owner@localhost' AND removed_at IS NULL AND NOT EXISTS (
  SELECT 1 FROM api_keys WHERE api_keys.user_id = users.id AND api_keys.created_at = users.created_at
);

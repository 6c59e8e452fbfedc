/// The tests that show the effect of each option from the outside: the name of a test, and below it the
/// options that it tests; `*` stands for every command that has them.
///
/// That an option is stored, or parses, is not an effect. If a command has a test file of its own, such lines
/// are above the tests: `// Options: tokens rotate: file`.
enum OptionEffects {
    static let list = """
        # a team is kept sealed, listed, used by an app, changed and removed
        teams add: name identity profile key-file trusted-ca
        # what teams set changes is what releases are signed with
        teams set: name identity profile remove-profile key-file trusted-ca
        # an identity that teams set opens with --password-file signs releases
        teams set: password-file
        # a passphrase comes from a file, and the identity that is refused is named
        teams add: password-file
        # a server that is given a bad key file does not start
        serve: key-file
        # an API key is kept sealed, replaced, and removed with every copy
        teams add|set: api-key issuer
        teams set: key-id remove-api-key
        # what is no API key is refused, and names its file
        teams add: key-id
        # a check says what the account has and lacks
        teams check: key-file apple-url apple-ca-file
        # nothing is changed at Apple before somebody agrees
        teams sync: dry-run yes no-wait key-file apple-url apple-ca-file
        # a certificate is created where the account has none, and not before it is asked for
        teams certificate: create no-wait key-file apple-url apple-ca-file
        # a server asks Apple for its admins at the address that it is given
        serve: apple-url apple-ca-file
        # notes, tag and commit stay with the release
        publish: channel notes tag commit
        # a build of another version than its tag needs to be allowed
        publish: allow-version-mismatch
        # other bytes under the same version need --replace
        publish: replace
        # a dry run stores nothing
        publish: dry-run
        # an exported bundle has all it needs and leaves no store behind
        publish: export
        # a restored store serves the same page under the same capability
        publish: base-url
        serve: base-url
        doctor: trust-from save-ipa
        # a code is drawn with --qr and left out with --no-qr
        publish: qr no-qr
        devices invite: name base-url qr no-qr
        # files that tell of a release are tried before it is made
        publish: outputs summary junit
        # --annotations are GitHub's lines, wanted or not
        publish: annotations no-annotations
        # what Xcode archived becomes a build that installs, and its origin is proven
        publish: repository
        releases verify: export
        package: output
        # a build of another team is signed, and installs
        sign: identity profile output trusted-ca
        # an output that is there is replaced with --force alone, and never the input
        sign: force
        # what is no order of the server's is answered with a problem
        sign: request
        # claims come from a file, for the app or for a bundle in it
        sign: entitlements
        # an identity opens with the passphrase of --password-file
        sign: password-file
        # a statement, an IPA and a key prove a release without its store
        publish: pipeline builder run-url branch
        releases verify: statement
        # damage to the bytes is found
        publish: trusted-ca
        store verify: quick
        # whom a device belongs to is told only to whoever asks for names
        validate: device
        # a device that is only described is judged by what is said
        validate: model os
        # every device has its verdict, those that cannot install first
        validate: all-devices udids
        # the exit status says whether any device can install it
        validate: at fail-on
        # validate compares with what a store has, where there is one
        validate: channel
        # JUnit stays well formed and has a case per device
        validate: format
        # text names each place once, and advice once per rule
        validate: trusted-ca
        # options that were renamed keep their former names
        *: trusted-ca
        # inspect names devices only when asked
        inspect: udids
        # inspect shows code, signature, entitlements and the largest files
        inspect: trusted-ca
        # an app is added before its first build, whose page has its settings
        apps add: title slug access passphrase-file unlisted
        # what apps set changes is what testers see
        apps set: access passphrase-stdin title listed unlisted slug
        # what the server does for an app by itself is set and shown
        apps add|set: approve fresh-channels renew-before
        # the lowest version in use is set, shown and taken back
        apps add|set: minimum-version
        # who knows the passphrase installs, and nobody else
        apps set: passphrase-file
        # the server sends e-mail by way of a mail server with TLS and a password
        serve: smtp smtp-from smtp-user smtp-password-file smtp-ca-file
        # installs, activity and devices are exported as tables
        installs: csv days limit
        activity: csv days
        devices list: csv
        # lists are cut by --limit
        releases list: limit
        activity: limit
        # where a release came from is proven by what a server says and a key that is known
        releases verify: ipa key export-key
        # what commands do shows on the page within a second
        releases withdraw: reason
        serve: trusted-ca
        # every command that acts does on a server what it does on a store
        releases promote: channel
        devices invitations list: all
        devices approve: all
        tokens create: name scope file
        tokens list: all
        # a release is signed again with the team's newest profile, and once
        releases sign: key-file
        apps set: team
        # an app that is added for it gets its first build from an unsigned archive
        apps add: team signing
        apps set: signing
        # given profiles and a named team count, and the published file can be given up
        releases sign: team profile
        # a profile of another authority counts where --trusted-ca names that
        releases sign: trusted-ca
        releases prune: originals
        # a job waits where it is only queued, and is listed, cancelled and retried
        releases sign: queue-only
        jobs list: open limit
        # pruning keeps what a channel offers
        releases prune: keep dry-run
        store gc: older-than dry-run
        # --address and --allow-file lead to another repository, written as a URL too
        mirror add|set: allow-file
        mirror set: address
        # a server is told no folder of its own, and no secret stands in an argument
        mirror add|set: allow-private
        # a repository that is not fetched at once is fetched by --sync
        mirror add: sync no-sync
        # --tag, --branch and --prefix say what is built
        mirror add|set: tag branch prefix
        # after kill -9 what ran is called interrupted and taken up, and what waited is built
        mirror add|set: interval
        # --pipeline-path and --pipeline say which steps are run
        mirror add|set: pipeline-path pipeline
        # --user runs a build as another user, who has its folders and not the store
        mirror add|set: user
        # --isolation, --network and --read-folder say what a build sees
        mirror add|set: isolation network no-network read-folder
        # --symbolic-links and --submodules say what a checkout has
        mirror add|set: symbolic-links no-symbolic-links submodules
        # --trusted and --secrets say which builds are given the secrets
        mirror add|set: trusted secrets
        # --app says which apps builds may publish
        mirror add|set: app
        # each limit ends a build that goes beyond it
        mirror add|set: time-limit size-limit disk-limit memory-limit
        # a private repository over https needs its token and its authority, and keeps both
        mirror add|set: credential-file repository-ca-file
        # a repository over ssh is fetched with its deploy key from the host that is known
        mirror add|set: ssh-key known-hosts
        # tags, a pre-release, a commit and a build by hand each land where they belong
        mirror add|set: hook-secret-file
        # --paused stops everything, and --no-paused goes on with what was pushed
        mirror set: paused no-paused
        # a repository is followed, built and left from another machine
        mirror sync: queue-only
        mirror build: queue-only
        mirror logs: follow
        mirror artifact: output
        # a moved tag is said and replaces nothing
        mirror build: tag rebuild
        version: tag
        # --commit builds a commit of before, and --no-sync what is known
        mirror build: branch commit sync no-sync
        # a tag, a commit without one and a manual run have the versions that CI expects
        version: repository ref
        # --ci takes what was pushed from the variables of the job
        version: ci
        # a shallow clone, an empty folder and a hostile tag are refused with the way out
        version: prefix allow-shallow
        # GitHub takes the variables from the file that it names
        version: github-output
        # a shell takes the variables as they are
        version: shell
        # Pare is built as what its tag says, or not at all
        version: xcconfig check-project configuration
        # --target checks one target of a project, and no other
        version: target
        # the list has the keys that scripts rely on
        devices add: name family model os
        # a device belongs to the team that is named
        devices add: team
        devices rename: team
        # a device is shown, renamed, taken out of use and erased
        devices list: all
        devices remove: forget
        # an iPhone and an iPad go from an invitation to an installed build
        devices import: registered
        devices export: all
        serve: trusted-device-ca
        # the hundred and first device is refused, with the day that frees slots
        devices import: family
        devices slots: renews
        # the membership of a team renews on its own day
        devices slots: team
        # check says who can install a build
        devices check: trusted-ca
        # an invitation ends when --valid says, and is for the app that --app names
        devices invite: app valid
        # a profile can be watched that is in no build yet
        profiles add: trusted-ca
        # profiles that expire soon make the check fail
        profiles check: within
        profiles list: app
        # a token ends when --expires says
        tokens create: expires
        # a runner has the labels and mirrors that it is given, until others replace them
        runners add|set: mirror label
        # a runner builds trusted references unless --references says otherwise
        runners add|set: references
        # --app, --events, --kind and --secret-file say what a webhook is told, and how
        webhooks add: kind events app channel groups secret-file body-file allow-private allow-http
        # --allow-host, --host and --assets change who is answered, where, and with what
        serve: host allow-host assets
        # serving says one line and ends with status 0 on SIGTERM
        serve: port plain-port
        # --certificate and --private-key are what the server shows
        serve: no-plain certificate private-key
        # --trusted-proxy says whose word counts for who asks
        serve: trusted-proxy
        # --link-lifetime says until when a link that was given installs
        serve: link-lifetime
        # ten that join at once need no approval and one profile
        serve: gather
        # --max-upload-mb and --reserve-mb refuse an upload before its bytes
        serve: max-upload-mb reserve-mb
        # each option of doctor changes what a phone would have shown
        doctor: trusted-ca device os family cut-at stop-early
        # a broken document is named, left alone, and repaired from before
        store restore: document
        # what a restore of a document undoes is kept, and brought back by --undone
        store restore: undone
        # a register of which nothing is left begins empty only when it is told to
        store restore: empty
        # each option of sample is in the build that it makes
        sample: output app build megabytes authority save-keys device expires
        # of several builds of one commit, the one of its tag counts
        sample: version resource
        # a restored store serves the same page under the same capability
        *: store
        # every command that looks says the same of a server as of its store
        *: server token-file ca-file json
        # a server that is not to be trusted is not told the token
        *: fingerprint
        """
}

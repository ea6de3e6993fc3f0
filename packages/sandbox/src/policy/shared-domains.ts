// Domains below which anybody can have a name. A wildcard over one of them would let an app reach whoever wants to be
// reached, so it is refused. This is a short list of what apps are known to use, not the Public Suffix List: that has
// ten thousand entries, changes weekly and would have to be loaded by every page. What is missing here is allowed.
const shared: readonly string[] = [
  // Pages and functions
  'github.io githubusercontent.com gitlab.io bitbucket.io codeberg.page sourceforge.io readthedocs.io surge.sh',
  'pages.dev workers.dev r2.dev vercel.app now.sh netlify.app onrender.com fly.dev railway.app',
  'up.railway.app herokuapp.com deno.dev deno.net glitch.me repl.co replit.app replit.dev stackblitz.io',
  'webcontainer.io csb.app gitpod.io github.dev app.github.dev hf.space lovable.app bolt.host',
  'v0.app val.run modal.run streamlit.app gradio.live cyclic.app koyeb.app zeabur.app northflank.app kinsta.app',
  // Clouds
  'web.app firebaseapp.com firebaseio.com appspot.com run.app cloudfunctions.net a.run.app usercontent.goog',
  'amazonaws.com cloudfront.net elasticbeanstalk.com awsapprunner.com amplifyapp.com on.aws',
  'azurewebsites.net azurestaticapps.net azureedge.net azurefd.net cloudapp.net cloudapp.azure.com windows.net',
  'trafficmanager.net azure-api.net azurecontainerapps.io digitaloceanspaces.com ondigitalocean.app',
  'linodeobjects.com backblazeb2.com wasabisys.com oraclecloud.com scw.cloud ovh.net edgekey.net akamaized.net',
  'akamaihd.net fastly.net fastlylb.net b-cdn.net kxcdn.com cdn77.org stackpathcdn.com supabase.co nhost.run',
  // Ways to a machine at home
  'ngrok.io ngrok.app ngrok.dev ngrok-free.app ngrok-free.dev ngrok.pizza trycloudflare.com cfargotunnel.com',
  'loca.lt localtunnel.me serveo.net localhost.run lhr.life pinggy.io pinggy.link telebit.io bore.pub devtunnels.ms',
  'ts.net duckdns.org no-ip.org ddns.net dyndns.org dynu.net hopto.org zapto.org sytes.net myftp.org nip.io sslip.io',
  'xip.io',
  // Catchers of requests
  'webhook.site requestcatcher.com pipedream.net m.pipedream.net oast.fun oast.live oast.me oast.online oast.pro',
  'oast.site interact.sh burpcollaborator.net oastify.com beeceptor.com requestbin.net hookbin.com',
  // Sites of users
  'blogspot.com wordpress.com tumblr.com weebly.com wixsite.com squarespace.com webflow.io',
  'notion.site carrd.co strikingly.com neocities.org 000webhostapp.com infinityfreeapp.com',
  'byethost.com altervista.org livejournal.com',
].flatMap((line) => line.split(' '));

/** Second-level labels below which countries sell names: co.uk, com.au, or.jp. */
const registryLabels: ReadonlySet<string> = new Set(
  'co com net org gov gob gouv govt edu ac sch mil or ne go ad gr lg id nom ltd plc nhs police asn'.split(
    ' ',
  ),
);

/** Of these the parts below are shared as well, under the names of regions and services. */
const clouds: readonly string[] =
  'amazonaws.com windows.net on.aws digitaloceanspaces.com linodeobjects.com backblazeb2.com wasabisys.com'.split(
    ' ',
  );

/** Whether names below this host belong to whoever took them, so that `*.` before it would name anybody. */
export const isSharedDomain = (host: string): boolean => {
  const [label = '', country = '', ...rest] = host.split('.');
  if (country === '') return true;
  if (rest.length === 0 && country.length === 2 && registryLabels.has(label)) return true;
  return (
    shared.some((domain) => host === domain || domain.endsWith(`.${host}`)) ||
    clouds.some((domain) => host.endsWith(`.${domain}`))
  );
};
